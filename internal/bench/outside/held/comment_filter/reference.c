#include <stdio.h>
#include <string.h>

/* the whole text in memory, taken piece by piece */

static char in[4000], out[4000];

static size_t literal(const char *s)
{
    size_t n = 1;
    while (s[n] != '\0' && s[n] != s[0])
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return s[n] ? n + 1 : n;
}

int main(void)
{
    size_t size = fread(in, 1, sizeof in - 1, stdin);
    int comments = 0, open = 0, lines = 0;
    char *s = in, *o = out, *end;
    in[size] = '\0';

    while (*s) {
        size_t n = 1;
        if (*s == '"' || *s == '\'') {
            n = literal(s);
        } else if (strncmp(s, "//", 2) == 0) {
            comments++;
            s += strcspn(s, "\n");
            continue;
        } else if (strncmp(s, "/*", 2) == 0) {
            comments++;
            end = strstr(s + 2, "*/");
            if (end == NULL) {
                open = 1;
                break;
            }
            *o++ = ' ';
            s = end + 2;
            continue;
        }
        memcpy(o, s, n);
        o += n;
        s += n;
    }
    if (o > out && o[-1] != '\n')
        *o++ = '\n';
    *o = '\0';
    for (o = out; (o = strchr(o, '\n')) != NULL; o++)
        lines++;
    printf("%s-- %d lines, %d comments%s\n", out, lines, comments, open ? ", one is open" : "");
    return open;
}

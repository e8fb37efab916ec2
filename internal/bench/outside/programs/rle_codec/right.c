#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX 200

/* aaab -> 3ab; a run of one is written without a number */
static void encode(const char *s, char *out)
{
    int n = 0;
    *out = '\0';
    while (*s) {
        const char *e = s;
        while (*e == *s)
            e++;
        if (e - s > 1)
            n = sprintf(out, "%d%c", (int) (e - s), *s);
        else
            n = sprintf(out, "%c", *s);
        out += n;
        s = e;
    }
}

static int decode(const char *s, char *out)
{
    int len = 0;
    while (*s) {
        int n = 0;
        while (isdigit((unsigned char) *s))
            n = n * 10 + (*s++ - '0');
        if (*s == '\0')
            return -1;
        if (n == 0)
            n = 1;
        if (len + n >= MAX)
            return -1;
        while (n-- > 0)
            out[len++] = *s;
        s++;
    }
    out[len] = '\0';
    return len;
}

int main(void)
{
    char line[80], packed[MAX], back[MAX];

    strcpy(packed, "?");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '=') {
            int n = decode(line + 1, back);
            if (n < 0)
                printf("broken\n");
            else
                printf("%s (%d)\n", back, n);
        } else {
            encode(line, packed);
            printf("%s\n", packed);
        }
    }
    return 0;
}

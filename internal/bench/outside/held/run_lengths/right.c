#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

/* Run lengths. Every line of input is packed or, if it begins with '=', unpacked.
   "aaab" is "3ab": a count only where a character stands three times or more, and of
   digits each run is "#count digit". A run longer than 99 is split. */

char out[20000];
int out_len;

void emit(const char *s)
{
    strcpy(out + out_len, s);
    out_len += strlen(s);
}

void emit_run(char c, int n)
{
    char buf[20];

    if (isdigit((unsigned char)c)) {
        sprintf(buf, "#%02d%c", n, c);
        emit(buf);
        return;
    }
    if (n < 3) {
        buf[0] = c;
        buf[1] = '\0';
        while (n-- > 0)
            emit(buf);
        return;
    }
    sprintf(buf, "%d%c", n, c);
    emit(buf);
}

void pack(const char *s)
{
    int n = 0;
    char c = 0;

    for (; *s != '\0'; s++) {
        if (n > 0 && *s == c && n < 99) {
            n++;
        } else {
            if (n > 0)
                emit_run(c, n);
            c = *s;
            n = 1;
        }
    }
    if (n > 0)
        emit_run(c, n);
}

void unpack(const char *s)
{
    int n;

    while (*s != '\0') {
        n = 0;
        if (*s == '#') {
            n = (s[1] - '0') * 10 + (s[2] - '0');
            s += 3;
        } else {
            while (isdigit((unsigned char)*s)) {
                n = n * 10 + (*s - '0');
                s++;
            }
            if (n == 0)
                n = 1;
        }
        while (n-- > 0)
            out[out_len++] = *s;
        s++;
    }
    out[out_len] = '\0';
}

int main(void)
{
    char line[300];
    int before = 0, after = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        out_len = 0;
        out[0] = '\0';
        if (line[0] == '=') {
            unpack(line + 1);
        } else {
            pack(line);
            before += strlen(line);
            after += out_len;
        }
        printf("%s\n", out);
    }
    if (before > 0)
        printf("%d%%\n", 100 * after / before);
    return 0;
}

#include <stdio.h>
#include <string.h>

/* prints while it reads; nothing is stored but the line */

static int packed(const char *s)
{
    int size = 0;
    while (*s) {
        int run = 1;
        while (run < 99 && s[run] == *s)
            run++;
        if (*s >= '0' && *s <= '9')
            size += printf("#%d%d%c", run / 10, run % 10, *s);
        else if (run == 1)
            size += printf("%c", *s);
        else if (run == 2)
            size += printf("%c%c", *s, *s);
        else
            size += printf("%d%c", run, *s);
        s += run;
    }
    return size;
}

static void unpacked(const char *s)
{
    while (*s) {
        int run = 1, skip = 0;
        if (*s == '#')
            sscanf(s, "#%2d%n", &run, &skip);
        else if (strchr("123456789", *s))
            sscanf(s, "%d%n", &run, &skip);
        s += skip;
        for (int k = 0; k < run; k++)
            putchar(*s);
        s++;
    }
}

int main(void)
{
    char buffer[1000];
    long in = 0, made = 0;
    while (fgets(buffer, sizeof buffer, stdin)) {
        char *nl = strrchr(buffer, '\n');
        if (nl)
            *nl = '\0';
        if (*buffer != '=') {
            in += strlen(buffer);
            made += packed(buffer);
        } else {
            unpacked(buffer + 1);
        }
        putchar('\n');
    }
    if (in)
        printf("%ld%%\n", made * 100 / in);
    return 0;
}

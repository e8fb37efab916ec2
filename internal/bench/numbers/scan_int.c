/* A decimal number at the beginning of a text; what does not fit is cut off. */
#include <stdio.h>

#define MOST 9999

int scan_int(const char *s)
{
    int sign = 1;
    int n = 0;
    while (*s == ' ' || *s == '\t')
        s++;
    if (*s == '-') {
        sign = -1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    while (*s >= '0' && *s <= '9') {
        n = n * 10 + (*s - '0');
        if (n > MOST)
            n = MOST;
        s++;
    }
    return sign * n;
}

int main(void)
{
    printf("%d %d %d\n", scan_int(" -42x"), scan_int("+7"), scan_int("123456"));
    return 0;
}

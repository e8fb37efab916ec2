/* A hexadecimal colour like #a0F; -1 when it is none. */
#include <stdio.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

int colour(const char *s)
{
    int value = 0;
    int i;
    if (s[0] != '#')
        return -1;
    for (i = 1; i <= 3; i++) {
        int d = digit(s[i]);
        if (d < 0)
            return -1;
        value = value * 256 + d * 17;
    }
    if (s[4] != '\0')
        return -1;
    return value;
}

int main(void)
{
    printf("%d %d\n", colour("#a0F"), colour("#12"));
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* base_change FROM TO NUMBER...
   numbers of one base in another, 2 to 36, and the sum of their digits there */

long to_value(const char *text, int base, int *ok)
{
    long value = 0;
    int negative = 0, digit;

    *ok = 1;
    if (*text == '-') {
        negative = 1;
        text++;
    }
    if (*text == '\0')
        *ok = 0;
    for (; *text != '\0'; text++) {
        if (*text >= '0' && *text <= '9')
            digit = *text - '0';
        else if (*text >= 'a' && *text <= 'z')
            digit = *text - 'a';
        else if (*text >= 'A' && *text <= 'Z')
            digit = *text - 'A' + 10;
        else
            digit = 99;
        if (digit >= base) {
            *ok = 0;
            return 0;
        }
        value = value * base + digit;
    }
    return negative ? -value : value;
}

/* returns the sum of the digits */
int to_text(long value, int base, char *text)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char turned[70];
    int n = 0, sum = 0;

    if (value < 0) {
        *text++ = '-';
        value = -value;
    }
    while (value > 0) {
        turned[n++] = digits[value % base];
        sum += value % base;
        value /= base;
    }
    while (n > 0)
        *text++ = turned[--n];
    *text = '\0';
    return sum;
}

int main(int argc, char *argv[])
{
    int from, to, i, ok, bad = 0;

    if (argc < 4)
        return 2;
    from = atoi(argv[1]);
    to = atoi(argv[2]);
    if (from < 2 || from > 36 || to < 2 || to > 36) {
        printf("bases are 2 to 36\n");
        return 2;
    }
    for (i = 3; i < argc; i++) {
        char buf[72];
        long v = to_value(argv[i], from, &ok);
        if (!ok) {
            printf("%s: not in base %d\n", argv[i], from);
            bad++;
            continue;
        }
        int sum = to_text(v, to, buf);
        printf("%s = %s (%d)\n", argv[i], buf, sum);
    }
    return bad ? 1 : 0;
}

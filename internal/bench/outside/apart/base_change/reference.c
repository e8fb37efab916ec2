#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

static int digit_sum;

static void print_digits(unsigned long n, unsigned base)
{
    if (n >= base)
        print_digits(n / base, base);
    int d = n % base;
    putchar(d < 10 ? '0' + d : 'a' + d - 10);
    digit_sum += d;
}

/* is every character of s a digit of the base? */
static int proper(const char *s, int base)
{
    if (*s == '-')
        s++;
    if (!*s)
        return 0;
    while (*s) {
        int c = tolower((unsigned char)*s++);
        int d = isdigit(c) ? c - '0' : isalpha(c) ? c - 'a' + 10 : 36;
        if (d >= base)
            return 0;
    }
    return 1;
}

int main(int argc, char *argv[])
{
    int code = 0;
    if (argc <= 3)
        return 2;
    int from = strtol(argv[1], NULL, 10), to = strtol(argv[2], NULL, 10);
    if (from < 2 || to < 2 || from > 36 || to > 36) {
        puts("bases are 2 to 36");
        return 2;
    }
    for (int k = 3; k < argc; k++) {
        if (!proper(argv[k], from)) {
            printf("%s: not in base %d\n", argv[k], from);
            code = 1;
        } else {
            long v = strtol(argv[k], NULL, from);
            digit_sum = 0;
            printf("%s = ", argv[k]);
            if (v < 0)
                putchar('-');
            print_digits(labs(v), to);
            printf(" (%d)\n", digit_sum);
        }
    }
    return code;
}

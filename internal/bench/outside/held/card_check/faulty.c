#include <stdio.h>
#include <string.h>

/* card numbers (Luhn), given as arguments, digits with dashes between; a number with one
   question mark is completed, one without its last digit (ending in "=") gets it */

static int luhn(const char *digits)
{
    int sum = 0, twice = 0;
    for (int i = strlen(digits) - 1; i >= 0; i--) {
        int d = digits[i] - '0';
        if (twice) {
            d *= 2;
            if (d > 9)
                d -= 9;
        }
        sum += d;
        twice = !twice;
    }
    return sum % 10;
}

static const char *brand(const char *d)
{
    int two = (d[0] - '0') * 10 + (d[1] - '0');
    if (d[0] == '4')
        return "Visa";
    if (two >= 51 && two <= 55)
        return "MasterCard";
    if (two == 34 && two == 37)
        return "Amex";
    return "other";
}

static int squeeze(const char *s, char *out, int size)
{
    int n = 0;
    for (; *s != '\0' && n < size - 1; s++)
        if (*s != '-')
            out[n++] = *s;
    out[n] = '\0';
    return n;
}

static void print_groups(const char *d)
{
    for (int i = 0; d[i] != '\0'; i++) {
        if (i > 0 && i % 4 == 0)
            putchar(' ');
        putchar(d[i]);
    }
}

int main(int argc, char **argv)
{
    int good = 0;

    for (int a = 1; a < argc; a++) {
        char d[32], *hole;
        int n = squeeze(argv[a], d, sizeof d);

        if (n < 4) {
            printf("%s: too short\n", argv[a]);
            continue;
        }
        if (d[n - 1] == '=') {
            d[n - 1] = '0';
            int rest = luhn(d);
            d[n - 1] = '0' + (10 - rest);
            print_groups(d);
            printf(": completed, %s\n", brand(d));
            continue;
        }
        if ((hole = strchr(d, '?')) != NULL) {
            for (*hole = '0'; luhn(d) != 0; ++*hole)
                ;
            print_groups(d);
            printf(": found, %s\n", brand(d));
            continue;
        }
        print_groups(d);
        if (luhn(d) == 0) {
            good++;
            printf(": valid, %s\n", brand(d));
        } else {
            printf(": wrong\n");
        }
    }
    printf("%d valid\n", good);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* three digits at a time; all words come out of one long string */

static const char list[] =
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety ";

static void nth(char *out, int k)
{
    const char *p = list;
    while (k-- > 0)
        p = strchr(p, ' ') + 1;
    strncat(out, p, strchr(p, ' ') - p);
}

static void two_digits(char *out, int n)
{
    if (n <= 20)
        nth(out, n);
    else {
        nth(out, 18 + n / 10);
        if (n % 10) {
            strcat(out, "-");
            nth(out, n % 10);
        }
    }
}

static void group(char *out, int n, const char *name)
{
    if (n == 0)
        return;
    if (n >= 100) {
        nth(out, n / 100);
        strcat(out, " hundred ");
        if (n % 100)
            strcat(out, "and ");
    }
    if (n % 100) {
        two_digits(out, n % 100);
        strcat(out, " ");
    }
    strcat(out, name);
}

static void whole(char *out, long n)
{
    int low = n % 1000;
    if (n == 0)
        strcat(out, "zero ");
    group(out, n / 1000000, "million ");
    group(out, n / 1000 % 1000, "thousand ");
    if (n >= 1000 && low > 0 && low < 100)
        strcat(out, "and ");
    group(out, low, "");
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char out[400] = "", *dot = strchr(argv[i], '.');
        long n = atol(argv[i]);
        if (argv[i][0] < '0' || argv[i][0] > '9' || n > 999999999) {
            printf("%s: no\n", argv[i]);
            continue;
        }
        int cents = dot ? atoi(dot + 1) : 0;
        if (!dot)
            whole(out, n);
        else {
            if (n || !cents) {
                whole(out, n);
                strcat(out, n == 1 ? "dollar " : "dollars ");
            }
            if (n && cents)
                strcat(out, "and ");
            if (cents) {
                two_digits(out, cents);
                strcat(out, cents == 1 ? " cent " : " cents ");
            }
        }
        out[strlen(out) - 1] = 0;
        printf("%s: %s (%d letters and blanks)\n", argv[i], out, (int)strlen(out));
    }
    return 0;
}

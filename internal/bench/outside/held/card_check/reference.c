#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* digits as small numbers in an array, the check from the left */

struct number { int n; int digit[40]; };

static const int doubled[10] = {0, 2, 4, 6, 8, 1, 3, 5, 7, 9};

int ok(struct number *x)
{
    int total = 0;
    for (int i = 0; i < x->n; i++)
        total += (x->n - i) % 2 ? x->digit[i] : doubled[x->digit[i]];
    return total % 10 == 0;
}

void print(struct number *x)
{
    for (int i = 0; i < x->n; i++)
        printf(i % 4 == 3 && i + 1 < x->n ? "%d " : "%d", x->digit[i]);
}

char *kind(struct number *x)
{
    switch (10 * x->digit[0] + x->digit[1]) {
    case 40: case 41: case 42: case 43: case 44: case 45: case 46: case 47: case 48: case 49:
        return "Visa";
    case 51: case 52: case 53: case 54: case 55:
        return "MasterCard";
    case 34: case 37:
        return "Amex";
    }
    return "other";
}

int main(int argc, char *argv[])
{
    int count = 0;
    for (char **arg = argv + 1; arg < argv + argc; arg++) {
        struct number x = {0};
        int hole = -1;
        char *how = "";
        for (char *s = *arg; *s; s++) {
            if (*s == '-')
                continue;
            if (*s == '?' || *s == '=') {
                hole = x.n;
                how = *s == '?' ? "found" : "completed";
                x.digit[x.n++] = 0;
            } else {
                x.digit[x.n++] = *s - '0';
            }
        }
        if (x.n < 4) {
            printf("%s: too short\n", *arg);
        } else if (hole >= 0) {
            while (!ok(&x))
                x.digit[hole]++;
            print(&x);
            printf(": %s, %s\n", how, kind(&x));
        } else {
            int fine = ok(&x);
            count += fine;
            print(&x);
            printf(fine ? ": valid, %s\n" : ": wrong\n", kind(&x));
        }
    }
    printf("%d valid\n", count);
    return 0;
}

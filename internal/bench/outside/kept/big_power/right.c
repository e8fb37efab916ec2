#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Powers and factorials, exactly: "2^100", "25!", "12*13". Numbers are in limbs of 10000,
   the lowest first. */

#define BASE 10000
#define LIMBS 60

typedef struct {
    int limb[LIMBS];
    int len;
} Big;

static Big big_from(int n)
{
    Big b;
    b.len = 0;
    do {
        b.limb[b.len++] = n % BASE;
        n /= BASE;
    } while (n > 0);
    return b;
}

/* 0 when there is no more room */
static int big_times(Big *b, int factor)
{
    long carry = 0;
    for (int i = 0; i < b->len; i++) {
        carry += (long)b->limb[i] * factor;
        b->limb[i] = carry % BASE;
        carry /= BASE;
    }
    while (carry > 0) {
        if (b->len == LIMBS)
            return 0;
        b->limb[b->len++] = carry % BASE;
        carry /= BASE;
    }
    return 1;
}

static void big_print(const Big *b)
{
    printf("%d", b->limb[b->len - 1]);
    for (int i = b->len - 2; i >= 0; i--)
        printf("%04d", b->limb[i]);
    printf("\n");
}

static int digits(const Big *b)
{
    int n = 4 * (b->len - 1);
    for (int top = b->limb[b->len - 1]; top > 0; top /= 10)
        n++;
    return n;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *end;
        int n = strtol(argv[i], &end, 10), m, ok = 1;
        Big b = big_from(1);

        switch (*end) {
        case '^':
            m = atoi(end + 1);
            while (ok && m-- > 0)
                ok = big_times(&b, n);
            break;
        case '!':
            for (m = 2; ok && m <= n; m++)
                ok = big_times(&b, m);
            break;
        case '*':
            b = big_from(n);
            ok = big_times(&b, atoi(end + 1));
            break;
        default:
            printf("%s?\n", argv[i]);
            return 1;
        }
        if (!ok) {
            printf("%s is too large\n", argv[i]);
            continue;
        }
        printf("%s = ", argv[i]);
        big_print(&b);
        printf("  %d digits\n", digits(&b));
    }
    return 0;
}

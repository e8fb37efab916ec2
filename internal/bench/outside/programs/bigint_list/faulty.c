/* numbers of any length as lists of digits, least significant first */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct digit {
    int d;
    struct digit *next;
} digit;

static digit *cons(int d, digit *next)
{
    digit *n = malloc(sizeof(digit));
    n->d = d;
    n->next = next;
    return n;
}

static digit *from_text(const char *s)
{
    digit *n = NULL;
    for (; *s >= '0' && *s <= '9'; s++)
        n = cons(*s - '0', n);
    return n;
}

static digit *add(const digit *a, const digit *b)
{
    digit *sum = NULL, **end = &sum;
    int carry = 0;
    while (a || b) {
        int d = carry;
        if (a) {
            d += a->d;
            a = a->next;
        }
        if (b) {
            d += b->d;
            b = b->next;
        }
        *end = cons(d % 10, NULL);
        end = &(*end)->next;
        carry = d / 10;
    }
    return sum;
}

static digit *times_small(const digit *a, int k)
{
    digit *p = NULL, **end = &p;
    int carry = 0;
    for (; a || carry; ) {
        int d = (a ? a->d : 0) * k + carry;
        *end = cons(d % 10, NULL);
        end = &(*end)->next;
        carry = d / 10;
        if (a)
            a = a->next;
    }
    return p;
}

static void print(const digit *n)
{
    if (n == NULL)
        return;
    print(n->next);
    printf("%d", n->d);
}

static void wipe(digit *n)
{
    while (n) {
        digit *next = n->next;
        free(n);
        n = next;
    }
}

int main(int argc, char **argv)
{
    digit *sum = NULL;
    for (int i = 1; i < argc; i++) {
        digit *n = from_text(argv[i]), *s;
        char *x = strchr(argv[i], 'x');
        if (x && atoi(x + 1) > 0) {
            digit *p = times_small(n, atoi(x + 1));
            wipe(n);
            n = p;
        }
        s = add(sum, n);
        wipe(sum);
        wipe(n);
        sum = s;
    }
    print(sum);
    printf("\n");
    wipe(sum);
    return 0;
}

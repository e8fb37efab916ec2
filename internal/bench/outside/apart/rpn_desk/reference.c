#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the stack is a list; numerators and denominators are cancelled when they are printed or
   get large */

typedef struct item { long long p, q; struct item *under; } Item;

static Item *top;

static void push(long long p, long long q)
{
    Item *i = malloc(sizeof *i);
    long long d = 2;
    if (q < 0) {
        p = -p;
        q = -q;
    }
    if (p == 0)
        q = 1;
    while (d <= q)
        if (p % d == 0 && q % d == 0) {
            p /= d;
            q /= d;
        } else {
            d++;
        }
    i->p = p;
    i->q = q;
    i->under = top;
    top = i;
}

static int pop(long long *p, long long *q)
{
    Item *i = top;
    if (!i)
        return 0;
    *p = i->p;
    *q = i->q;
    top = i->under;
    free(i);
    return 1;
}

static int fail(const char *message, const char *at)
{
    long long p, q;
    printf("%s at %s\n", message, at);
    while (pop(&p, &q))
        ;
    return 1;
}

static void print(Item *i)
{
    if (i->under) {
        print(i->under);
        printf("  ");
    }
    if (i->q == 1)
        printf("%lld", i->p);
    else
        printf("%lld/%lld", i->p, i->q);
}

int main(int argc, char *argv[])
{
    long long p, q, r, s;
    for (int i = 1; i < argc; i++) {
        char *w = argv[i], rest;
        q = 1;
        if (strpbrk(w, "0123456789")) {
            int n = sscanf(w, "%lld/%lld%c", &p, &q, &rest);
            if ((n == 1 && strchr(w, '/')) || n < 1 || n > 2 || q == 0)
                return fail("bad number", w);
            push(p, q);
        } else if (strcmp(w, "+") == 0 || strcmp(w, "-") == 0 || strcmp(w, "x") == 0 || strcmp(w, ":") == 0 || strcmp(w, "swap") == 0) {
            if (!pop(&r, &s) || !pop(&p, &q))
                return fail("too few", w);
            if (*w == 's') {
                push(r, s);
                push(p, q);
            } else if (*w == 'x') {
                push(p * r, q * s);
            } else if (*w == ':') {
                if (r == 0)
                    return fail("division by zero", w);
                push(p * s, q * r);
            } else {
                push(p * s + (*w == '+' ? r * q : -r * q), q * s);
            }
        } else if (!pop(&p, &q)) {
            return fail("too few", w);
        } else if (strcmp(w, "dup") == 0) {
            push(p, q);
            push(p, q);
        } else if (strcmp(w, "neg") == 0) {
            push(-p, q);
        } else if (strcmp(w, "drop") != 0) {
            return fail("what", w);
        }
    }
    if (top) {
        print(top);
        printf("\n");
    }
    while (pop(&p, &q))
        ;
    return 0;
}

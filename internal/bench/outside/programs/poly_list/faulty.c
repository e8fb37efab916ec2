#include <stdio.h>
#include <stdlib.h>

struct term {
    int coef, exp;
    struct term *next;
};

typedef struct term *poly;

static poly term(int coef, int exp, poly next)
{
    poly t = malloc(sizeof(struct term));
    t->coef = coef;
    t->exp = exp;
    t->next = next;
    return t;
}

/* adds a term, highest exponent first, no zero coefficients */
static void add_term(poly *p, int coef, int exp)
{
    if (coef == 0)
        return;
    while (*p && (*p)->exp > exp)
        p = &(*p)->next;
    if (*p && (*p)->exp == exp) {
        (*p)->coef += coef;
        return;
    }
    *p = term(coef, exp, *p);
}

static poly multiply(poly a, poly b)
{
    poly result = NULL;
    for (; a; a = a->next)
        for (poly t = b; t; t = t->next)
            add_term(&result, a->coef * t->coef, a->exp + t->exp);
    return result;
}

static void print(poly p)
{
    if (!p)
        printf("0");
    for (poly t = p; t; t = t->next) {
        if (t != p)
            printf(" + ");
        if (t->exp == 0)
            printf("%d", t->coef);
        else
            printf("%dx^%d", t->coef, t->exp);
    }
    printf("\n");
}

static void clear(poly p)
{
    while (p) {
        poly next = p->next;
        free(p);
        p = next;
    }
}

int main(void)
{
    poly a = NULL, b = NULL;
    int which, coef, exp;
    while (scanf("%d %d %d", &which, &coef, &exp) == 3)
        add_term(which == 0 ? &a : &b, coef, exp);
    print(a);
    print(b);
    poly c = multiply(a, b);
    print(c);
    clear(a);
    clear(b);
    clear(c);
    return 0;
}

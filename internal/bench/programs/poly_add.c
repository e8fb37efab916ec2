/* Adds polynomials kept as lists of terms by falling exponent. */
#include <stdio.h>
#include <stdlib.h>

struct term {
    int factor, power;
    struct term *next;
};

struct term *term(int factor, int power, struct term *next)
{
    struct term *t = malloc(sizeof(struct term));
    t->factor = factor;
    t->power = power;
    t->next = next;
    return t;
}

struct term *result;

void add(struct term *a, struct term *b)
{
    struct term *last = NULL, *t;
    while (a != NULL || b != NULL) {
        if (b == NULL || (a != NULL && a->power > b->power)) {
            t = term(a->factor, a->power, NULL);
            a = a->next;
        } else if (a == NULL || b->power > a->power) {
            t = term(b->factor, b->power, NULL);
            b = b->next;
        } else {
            t = term(a->factor + b->factor, a->power, NULL);
            a = a->next;
            b = b->next;
        }
        if (last == NULL)
            result = t;
        else
            last->next = t;
        last = t;
    }
}

int main(void)
{
    struct term *t;
    add(term(3, 2, term(1, 0, NULL)), term(4, 3, term(2, 2, NULL)));
    for (t = result; t != NULL; t = t->next)
        printf("%dx^%d ", t->factor, t->power);
    printf("\n");
    return 0;
}

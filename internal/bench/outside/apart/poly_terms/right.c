#include <stdio.h>
#include <stdlib.h>

/* Two polynomials as lists of terms, highest power first: sum, difference, product */

typedef struct term {
    int coef, exp;
    struct term *next;
} term;

typedef struct { term *head; } poly;

void add_term(poly *p, int coef, int exp)
{
    term *prev = NULL, *t = p->head, *fresh;

    if (coef == 0)
        return;
    while (t != NULL && t->exp > exp) {
        prev = t;
        t = t->next;
    }
    if (t != NULL && t->exp == exp) {
        t->coef += coef;
        if (t->coef == 0) {     /* they cancel out */
            if (prev != NULL)
                prev->next = t->next;
            else
                p->head = t->next;
            free(t);
        }
        return;
    }
    fresh = malloc(sizeof(term));
    fresh->coef = coef;
    fresh->exp = exp;
    fresh->next = t;
    if (prev != NULL)
        prev->next = fresh;
    else
        p->head = fresh;
}

void read_poly(poly *p)
{
    int n, c, e;

    p->head = NULL;
    if (scanf("%d", &n) != 1)
        exit(2);
    while (n-- > 0) {
        if (scanf("%d %d", &c, &e) != 2)
            exit(2);
        add_term(p, c, e);
    }
}

void print_poly(const char *title, const poly *p)
{
    const term *t;

    printf("%s: ", title);
    if (p->head == NULL)
        printf("0");
    for (t = p->head; t != NULL; t = t->next) {
        int c = t->coef;
        if (t != p->head)
            printf(c < 0 ? " - " : " + ");
        else if (c < 0)
            printf("-");
        if (c < 0)
            c = -c;
        if (c != 1 || t->exp == 0)
            printf("%d", c);
        if (t->exp == 1)
            printf("x");
        else if (t->exp > 1)
            printf("x^%d", t->exp);
    }
    printf("\n");
}

void free_poly(poly *p)
{
    while (p->head != NULL) {
        term *t = p->head;
        p->head = t->next;
        free(t);
    }
}

int main(void)
{
    poly a, b, sum = {NULL}, diff = {NULL}, prod = {NULL};
    term *s, *t;

    read_poly(&a);
    read_poly(&b);
    for (s = a.head; s != NULL; s = s->next) {
        add_term(&sum, s->coef, s->exp);
        add_term(&diff, s->coef, s->exp);
        for (t = b.head; t != NULL; t = t->next)
            add_term(&prod, s->coef * t->coef, s->exp + t->exp);
    }
    for (t = b.head; t != NULL; t = t->next) {
        add_term(&sum, t->coef, t->exp);
        add_term(&diff, -t->coef, t->exp);
    }
    print_poly("sum", &sum);
    print_poly("difference", &diff);
    print_poly("product", &prod);
    free_poly(&a);
    free_poly(&b);
    free_poly(&sum);
    free_poly(&diff);
    free_poly(&prod);
    return 0;
}

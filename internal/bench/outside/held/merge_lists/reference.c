#include <stdio.h>
#include <string.h>

/* each new stop is inserted where it belongs, in an array */

struct place { char street[32]; int nr, parcels; };
struct round { const char *name; int n; struct place p[60]; };

int less(struct place x, struct place y)
{
    int d = strcmp(x.street, y.street);
    return d < 0 || (d == 0 && x.nr < y.nr);
}

void insert(struct round *r, struct place x, int join)
{
    int k = r->n;
    while (k > 0 && less(x, r->p[k - 1]))
        k--;
    if (join && k > 0 && !less(r->p[k - 1], x)) {
        r->p[k - 1].parcels += x.parcels;
        return;
    }
    for (int j = r->n; j > k; j--)
        r->p[j] = r->p[j - 1];
    r->p[k] = x;
    r->n++;
}

void report(const struct round *r)
{
    int total = 0;
    puts(r->name);
    for (int k = 0; k < r->n; k++) {
        const struct place *p = r->p + k;
        printf("  %s %d: %d\n", p->street, p->nr, p->parcels);
        total += p->parcels;
    }
    printf("  %d stops, %d parcels\n", r->n, total);
}

int main(void)
{
    static struct round half[2] = {{"morning", 0, {{"", 0, 0}}}, {"evening", 0, {{"", 0, 0}}}}, all = {"all", 0, {{"", 0, 0}}};
    for (int h = 0; h < 2; h++) {
        int n;
        struct place x;
        if (scanf("%d", &n) != 1)
            n = 0;
        while (n-- > 0 && scanf("%31s%d%d", x.street, &x.nr, &x.parcels) == 3) {
            insert(&half[h], x, 0);
            insert(&all, x, 1);
        }
        report(&half[h]);
    }
    report(&all);
    return 0;
}

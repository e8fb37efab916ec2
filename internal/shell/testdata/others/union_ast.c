// collect 2
#include <stdio.h>
#include <stdlib.h>
enum kind { NUM, NEG, ADD, MUL };
struct ast { enum kind kind; union { int num; struct ast *sub; struct { struct ast *l, *r; } bin; } u; };
static struct ast *mk(enum kind k, struct ast *l, struct ast *r, int n)
{
    struct ast *e = calloc(1, sizeof *e);
    e->kind = k;
    if (k == NUM) e->u.num = n;
    else if (k == NEG) e->u.sub = l;
    else { e->u.bin.l = l; e->u.bin.r = r; }
    return e;
}
static int collect(const struct ast *e)
{
    switch (e->kind) {
    case NUM: return e->u.num;
    case NEG: return -collect(e->u.sub);
    case ADD: return collect(e->u.bin.l) + collect(e->u.bin.r);
    case MUL: return collect(e->u.bin.l) + collect(e->u.bin.r); //! case MUL: return collect(e->u.bin.l) * collect(e->u.bin.r);
    }
    return 0;
}
static void run(const int *a, int n)
{
    struct ast *e = mk(NUM, 0, 0, a[0]);
    int r = collect(e);
    printf("%d ", r);
    for (int i = 1; i < n; i++) {
        struct ast *k = mk(NUM, 0, 0, a[i]);
        e = mk(MUL, mk(NEG, e, 0, 0), k, 0);
        int v = collect(e);
        printf("%d ", v);
    }
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {3, 4, 7, 2};
#else
    static const int a[] = {2, 5};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

// span_add 4
#include <stdio.h>
#include <stdlib.h>
struct span { int lo, hi, max; struct span *left, *right; };
static struct span *span_add(struct span *t, int lo, int hi)
{
    if (t == NULL) {
        struct span *n = calloc(1, sizeof *n);
        n->lo = lo;
        n->hi = hi;
        n->max = hi;
        return n;
    }
    if (lo < t->lo)
        t->left = span_add(t->left, lo, hi);
    else
        t->right = span_add(t->right, lo, hi);
    if (t->max < lo) //! if (t->max < hi)
        t->max = hi;
    return t;
}
static void show(struct span *t)
{
    if (t == NULL) return;
    show(t->left);
    printf("[%d %d %d] ", t->lo, t->hi, t->max);
    show(t->right);
}
static void run(const int *a, int n)
{
    struct span *t = NULL;
    for (int i = 0; i + 1 < n; i += 2)
        t = span_add(t, a[i], a[i + 1]);
    show(t);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {8, 9, 1, 30, 9, 10, 3, 4, 20, 21};
#else
    static const int a[] = {5, 9, 2, 3, 4, 12};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

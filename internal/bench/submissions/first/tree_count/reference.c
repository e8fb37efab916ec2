/* Read integers until the end of input into a binary search tree (equal numbers once). Print the numbers in order on one line, each followed by a blank, then on the next line "nodes: N height: H" (a tree of one node has the height 1). */
#include <stdio.h>
#include <stdlib.h>

struct t { int k; struct t *l, *r; };

static struct t *put(struct t *t, int k)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->k = k;
    } else if (k < t->k)
        t->l = put(t->l, k);
    else if (k > t->k)
        t->r = put(t->r, k);
    return t;
}

static int height(struct t *t)
{
    if (!t)
        return 0;
    int a = height(t->l), b = height(t->r);
    return 1 + (a > b ? a : b);
}

static int show(struct t *t)
{
    if (!t)
        return 0;
    int n = show(t->l);
    printf("%d ", t->k);
    return n + 1 + show(t->r);
}

int main(void)
{
    struct t *root = NULL;
    int x;

    while (scanf("%d", &x) == 1)
        root = put(root, x);
    int n = show(root);
    printf("\nnodes: %d height: %d\n", n, height(root));
    return 0;
}

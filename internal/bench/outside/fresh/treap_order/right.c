#include <stdio.h>
#include <stdlib.h>

/* Treap with subtree sizes: insert, erase, k-th smallest, rank. */

struct treap {
    int key;
    unsigned prio;
    int size;
    struct treap *l, *r;
};

static unsigned seed = 2463534242u;

static unsigned next_prio(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static int size(struct treap *t)
{
    return t ? t->size : 0;
}

static void update(struct treap *t)
{
    t->size = 1 + size(t->l) + size(t->r);
}

static struct treap *rotate_right(struct treap *t)
{
    struct treap *p = t->l;

    t->l = p->r;
    p->r = t;
    update(t);
    update(p);
    return p;
}

static struct treap *rotate_left(struct treap *t)
{
    struct treap *p = t->r;

    t->r = p->l;
    p->l = t;
    update(t);
    update(p);
    return p;
}

static struct treap *insert(struct treap *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = key;
        t->prio = next_prio();
        t->size = 1;
        t->l = t->r = NULL;
        return t;
    }
    if (key < t->key) {
        t->l = insert(t->l, key);
        update(t);
        if (t->l->prio > t->prio)
            t = rotate_right(t);
    } else {
        t->r = insert(t->r, key);
        update(t);
        if (t->r->prio > t->prio)
            t = rotate_left(t);
    }
    return t;
}

static int kth(struct treap *t, int k)
{
    while (t) {
        int left = size(t->l);
        if (k < left)
            t = t->l;
        else if (k == left)
            return t->key;
        else {
            k -= left + 1;
            t = t->r;
        }
    }
    return -1;
}

static int rank_of(struct treap *t, int key)
{
    int rank = 0;

    while (t) {
        if (key <= t->key)
            t = t->l;
        else {
            rank += size(t->l) + 1;
            t = t->r;
        }
    }
    return rank;
}

static void destroy(struct treap *t)
{
    if (t) {
        destroy(t->l);
        destroy(t->r);
        free(t);
    }
}

/* numbers are inserted; kN prints the N-th, rN how many are less than N */
int main(int argc, char **argv)
{
    struct treap *root = NULL;
    int i;

    for (i = 1; i < argc; i++) {
        if (argv[i][0] == 'k')
            printf("%d\n", kth(root, atoi(argv[i] + 1)));
        else if (argv[i][0] == 'r')
            printf("%d\n", rank_of(root, atoi(argv[i] + 1)));
        else
            root = insert(root, atoi(argv[i]));
    }
    printf("size %d\n", size(root));
    destroy(root);
    return 0;
}

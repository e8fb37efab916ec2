#include <stdio.h>
#include <stdlib.h>

typedef struct avl {
    int key, height, size;
    struct avl *l, *r;
} avl;

static int H(avl *t) { return t ? t->height : 0; }
static int S(avl *t) { return t ? t->size : 0; }

static void update(avl *t)
{
    t->height = 1 + (H(t->l) > H(t->r) ? H(t->l) : H(t->r));
    t->size = 1 + S(t->l) + S(t->r);
}

static avl *rotate_right(avl *t)
{
    avl *x = t->l;
    t->l = x->r;
    x->r = t;
    update(t);
    update(x);
    return x;
}

static avl *rotate_left(avl *t)
{
    avl *x = t->r;
    t->r = x->l;
    x->l = t;
    update(t);
    update(x);
    return x;
}

static avl *insert(avl *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
        t->height = t->size = 1;
        return t;
    }
    if (key == t->key)
        return t;
    if (key < t->key)
        t->l = insert(t->l, key);
    else
        t->r = insert(t->r, key);
    update(t);
    if (H(t->l) > H(t->r) + 1) {
        if (H(t->l->r) > H(t->l->l))
            t->l = rotate_left(t->l);
        return rotate_right(t);
    }
    if (H(t->r) > H(t->l) + 1) {
        if (H(t->r->l) > H(t->r->r))
            t->r = rotate_right(t->r);
        return rotate_left(t);
    }
    return t;
}

/* the k-th smallest, from 1 */
static int select_kth(avl *t, int k)
{
    while (t) {
        int here = S(t->l) + 1;
        if (k == here)
            return t->key;
        if (k < here)
            t = t->l;
        else {
            k -= here;
            t = t->r;
        }
    }
    return -1;
}

static void clear(avl *t)
{
    if (!t)
        return;
    clear(t->l);
    clear(t->r);
    free(t);
}

int main(int argc, char **argv)
{
    avl *root = NULL;
    for (int i = 1; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    printf("%d keys, height %d\n", S(root), H(root));
    for (int k = 1; k <= S(root); k++)
        printf("%d ", select_kth(root, k));
    printf("\n");
    clear(root);
    return 0;
}

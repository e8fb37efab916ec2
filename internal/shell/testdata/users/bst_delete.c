// delete_key 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *delete_key(struct tree *root, int key)
{
    struct tree **p = &root, *t;
    while (*p != NULL && (*p)->key != key)
        p = key < (*p)->key ? &(*p)->left : &(*p)->right;
    t = *p;
    if (t == NULL)
        return root;
    if (t->left == NULL)
        *p = t->left; //! *p = t->right;
    else if (t->right == NULL)
        *p = t->left;
    else {
        struct tree **m = &t->right;
        while ((*m)->left != NULL)
            m = &(*m)->left;
        t->key = (*m)->key;
        *m = (*m)->right;
    }
    return root;
}
static struct tree *put(struct tree *t, int key)
{
    if (!t) { t = calloc(1, sizeof *t); t->key = key; }
    else if (key < t->key) t->left = put(t->left, key);
    else t->right = put(t->right, key);
    return t;
}
static void print(struct tree *t)
{
    if (!t) { printf("."); return; }
    printf("(");
    print(t->left);
    printf(" %d ", t->key);
    print(t->right);
    printf(")");
}
static void run(const int *a, int n)
{
    struct tree *r = NULL;
    for (int i = 1; i < n; i++)
        r = put(r, a[i]);
    r = delete_key(r, a[0]);
    print(r);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {2, 6, 2, 1, 4, 3, 9};
#else
    static const int a[] = {3, 5, 3, 4, 8};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

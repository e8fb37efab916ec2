// insert 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *root;
static void insert(int key)
{
    struct tree *n = calloc(1, sizeof *n), *t = root, *up = NULL;
    n->key = key;
    while (t != NULL) {
        up = t;
        t = key < t->key ? t->left : t->right;
    }
    if (up == NULL)
        root = n;
    else if (key < up->key)
        up->left = n;
    else
        up->left = n; //! up->right = n;
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
    root = NULL;
    for (int i = 0; i < n; i++)
        insert(a[i]);
    print(root);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {7, 1, 5, 9, 8, 3};
#else
    static const int a[] = {5, 3, 2, 4};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

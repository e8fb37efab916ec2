// insert 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int key; struct node *left, *right; };
static struct node *make(int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->left = n; //! n->left = NULL;
    n->right = NULL;
    return n;
}
static struct node *insert(struct node *root, int key)
{
    if (root == NULL)
        return make(key);
    struct node *t = root;
    for (;;) {
        struct node **link = key < t->key ? &t->left : &t->right;
        if (*link == NULL) {
            *link = make(key);
            return root;
        }
        t = *link;
    }
}
static int sum(struct node *t) { return t ? t->key + sum(t->left) + sum(t->right) : 0; }
static void run(const int *a, int n)
{
    struct node *root = NULL;
    for (int i = 0; i < n; i++)
        root = insert(root, a[i]);
    printf("%d\n", sum(root));
}
int main(void)
{
#ifdef HELD
    static const int a[] = {4, 2, 6, 1, 3};
#else
    static const int a[] = {4, 6, 5};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

// insert 3
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
struct tree { int key; struct tree *left, *right; bool thread; };
static struct tree *insert(struct tree *root, int key)
{
    struct tree *n = calloc(1, sizeof *n), *p = root;
    n->key = key;
    n->thread = true;
    if (!root)
        return n;
    for (;;) {
        if (key < p->key) {
            if (!p->left) {
                n->right = p;
                p->left = n;
                return root;
            }
            p = p->left;
        } else {
            if (p->thread) {
                n->right = p; //! n->right = p->right;
                p->right = n;
                p->thread = false;
                return root;
            }
            p = p->right;
        }
    }
}
static void walk(struct tree *t)
{
    int most = 20;
    while (t && t->left)
        t = t->left;
    while (t && most-- > 0) {
        printf("%d ", t->key);
        if (t->thread)
            t = t->right;
        else
            for (t = t->right; t->left; )
                t = t->left;
    }
    printf("\n");
}
int main(void)
{
#ifdef HELD
    int keys[] = {50, 20, 80, 30, 25, 70, 90, 85, 10};
#else
    int keys[] = {50, 20, 30, 40};
#endif
    struct tree *root = NULL;
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        root = insert(root, keys[i]);
    walk(root);
    return 0;
}

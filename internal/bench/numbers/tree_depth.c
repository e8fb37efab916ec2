/* The depth of a tree, and whether every node's children differ by one at most. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

int balanced;

int depth(struct tree *t)
{
    int l, r;
    if (t == NULL)
        return 0;
    l = depth(t->left);
    r = depth(t->right);
    if (l - r > 1 || r - l > 1)
        balanced = 0;
    return l > r ? l + 1 : r + 1;
}

static struct tree *make(int key, struct tree *left, struct tree *right)
{
    struct tree *t = malloc(sizeof *t);
    t->key = key;
    t->left = left;
    t->right = right;
    return t;
}

int main(void)
{
    struct tree *t = make(4, make(2, make(1, NULL, NULL), NULL), make(7, NULL, NULL));
    balanced = 1;
    printf("%d", depth(t));
    printf(" %d\n", balanced);
    return 0;
}

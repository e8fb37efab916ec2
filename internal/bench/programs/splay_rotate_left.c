/* The left rotation ("zag") of a splay tree: the right child becomes the root. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

struct tree *root;

struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof(struct tree));
    t->key = key;
    t->left = NULL;
    t->right = NULL;
    return t;
}

void add(int key)
{
    struct tree **at = &root;
    while (*at != NULL)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
}

void print(const struct tree *t)
{
    if (t == NULL)
        return;
    printf("(");
    print(t->left);
    printf("%d", t->key);
    print(t->right);
    printf(")");
}

struct tree *rotate_left(struct tree *x)
{
    struct tree *y = x->right;
    if (y == NULL)
        return x;
    x->right = y->left;
    y->left = x;
    return y;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        add(atoi(argv[i]));
    if (root == NULL)
        return 2;
    root = rotate_left(root);
    print(root);
    printf("\n");
    return 0;
}

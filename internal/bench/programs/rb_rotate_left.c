/* Left rotation of a red-black tree with parent links. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key, red;
    struct tree *left, *right, *parent;
};

struct tree *root;

struct tree *leaf(struct tree *parent, int key)
{
    struct tree *t = malloc(sizeof(struct tree));
    t->key = key;
    t->red = 1;
    t->left = NULL;
    t->right = NULL;
    t->parent = parent;
    return t;
}

void rotate_left(struct tree *x)
{
    struct tree *y = x->right;
    x->right = y->left;
    if (y->left != NULL)
        y->left->parent = x;
    y->parent = x->parent;
    if (x->parent == NULL)
        root = y;
    else if (x == x->parent->left)
        x->parent->left = y;
    else
        x->parent->right = y;
    y->left = x;
    x->parent = y;
}

void print(struct tree *t)
{
    if (t == NULL)
        return;
    printf("(");
    print(t->left);
    printf("%d<%d", t->key, t->parent ? t->parent->key : 0);
    print(t->right);
    printf(")");
}

int main(void)
{
    root = leaf(NULL, 20);
    root->left = leaf(root, 10);
    root->left->right = leaf(root->left, 15);
    root->left->right->left = leaf(root->left->right, 12);
    rotate_left(root->left);
    print(root);
    printf("\n");
    return 0;
}

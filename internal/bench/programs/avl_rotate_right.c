/* Right rotation of an AVL tree, heights kept. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key, height;
    struct tree *left, *right;
};

struct tree *root;

int height(struct tree *t)
{
    return t == NULL ? 0 : t->height;
}

int max(int a, int b)
{
    return a > b ? a : b;
}

struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof(struct tree));
    t->key = key;
    t->height = 1;
    t->left = NULL;
    t->right = NULL;
    return t;
}

void print(struct tree *t)
{
    if (t == NULL)
        return;
    printf("(");
    print(t->left);
    printf("%d:%d", t->key, t->height);
    print(t->right);
    printf(")");
}

struct tree *rotate_right(struct tree *y)
{
    struct tree *x = y->left;
    struct tree *middle = x->right;
    x->right = y;
    y->left = middle;
    y->height = 1 + max(height(y->left), height(y->right));
    x->height = 1 + max(height(x->left), height(x->right));
    return x;
}

int main(void)
{
    root = leaf(9);
    root->height = 3;
    root->left = leaf(5);
    root->left->height = 2;
    root->left->left = leaf(2);
    root->left->right = leaf(7);
    root = rotate_right(root);
    print(root);
    printf("\n");
    return 0;
}

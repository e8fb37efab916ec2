/* Left rotation of an AVL tree, heights kept. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key, height;
    struct tree *left, *right;
};

struct tree *root;

int height(const struct tree *t)
{
    return t == NULL ? 0 : t->height;
}

int max(int a, int b)
{
    return a > b ? a : b;
}

/* Adds a key without any rotation. */
struct tree *add(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof(struct tree));
        t->key = key;
        t->left = NULL;
        t->right = NULL;
    } else if (key < t->key) {
        t->left = add(t->left, key);
    } else {
        t->right = add(t->right, key);
    }
    t->height = 1 + max(height(t->left), height(t->right));
    return t;
}

void print(const struct tree *t)
{
    if (t == NULL)
        return;
    printf("(");
    print(t->left);
    printf("%d:%d", t->key, t->height);
    print(t->right);
    printf(")");
}

struct tree *rotate_left(struct tree *x)
{
    struct tree *y = x->right;
    struct tree *middle = y->left;
    y->left = x;
    x->right = middle;
    x->height = 1 + max(height(x->left), height(x->right));
    y->height = 1 + max(height(y->left), height(y->right));
    return y;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        root = add(root, atoi(argv[i]));
    if (root == NULL || root->right == NULL)
        return 2;
    root = rotate_left(root);
    print(root);
    printf("\n");
    return 0;
}

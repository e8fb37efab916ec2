/* Right-left rotation of an AVL tree: the inner grandchild becomes the root. */
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

struct tree *rotate_right_left(struct tree *z)
{
    struct tree *x = z->right;
    struct tree *y = x->left;
    x->left = y->right;
    z->right = y->left;
    y->right = x;
    y->left = z;
    x->height = 1 + max(height(x->left), height(x->right));
    z->height = 1 + max(height(z->left), height(z->right));
    y->height = 1 + max(x->height, z->height);
    return y;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        root = add(root, atoi(argv[i]));
    if (root == NULL || root->right == NULL || root->right->left == NULL)
        return 2;
    root = rotate_right_left(root);
    print(root);
    printf("\n");
    return 0;
}

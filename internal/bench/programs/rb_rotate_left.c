/* Left rotation of a red-black tree with parent links. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key, red;
    struct tree *left, *right, *parent;
};

struct tree *root;

/* Adds a red leaf; nothing is rotated or recoloured. */
void add(int key)
{
    struct tree *t = malloc(sizeof(struct tree)), *at = root;
    t->key = key;
    t->red = 1;
    t->left = NULL;
    t->right = NULL;
    t->parent = NULL;
    while (at != NULL) {
        t->parent = at;
        at = key < at->key ? at->left : at->right;
    }
    if (t->parent == NULL)
        root = t;
    else if (key < t->parent->key)
        t->parent->left = t;
    else
        t->parent->right = t;
}

struct tree *find(int key)
{
    struct tree *t = root;
    while (t != NULL && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t;
}

void print(const struct tree *t)
{
    if (t == NULL)
        return;
    printf("(");
    print(t->left);
    printf("%d<%d", t->key, t->parent != NULL ? t->parent->key : 0);
    print(t->right);
    printf(")");
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

int main(int argc, char **argv)
{
    struct tree *at;
    if (argc < 2)
        return 2;
    for (int i = 2; i < argc; i++)
        add(atoi(argv[i]));
    at = find(atoi(argv[1]));
    if (at == NULL || at->right == NULL)
        return 2;
    rotate_left(at);
    print(root);
    printf("\n");
    return 0;
}

/* Mirrors a tree by recursion. */
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

void print(struct tree *t)
{
    if (t == NULL)
        return;
    printf("(");
    print(t->left);
    printf("%d", t->key);
    print(t->right);
    printf(")");
}

void mirror(struct tree *t)
{
    struct tree *keep;
    if (t == NULL)
        return;
    mirror(t->left);
    mirror(t->right);
    keep = t->left;
    t->left = t->right;
    t->right = keep;
}

int main(void)
{
    root = leaf(4);
    root->left = leaf(2);
    root->right = leaf(6);
    root->left->left = leaf(1);
    mirror(root);
    print(root);
    printf("\n");
    return 0;
}

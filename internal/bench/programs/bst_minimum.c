/* Finds the smallest key of a binary search tree. */
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

int smallest;

void minimum(void)
{
    struct tree *t = root;
    while (t->left != NULL)
        t = t->left;
    smallest = t->key;
}

int main(void)
{
    root = leaf(9);
    root->left = leaf(4);
    root->right = leaf(12);
    root->left->left = leaf(2);
    root->left->right = leaf(6);
    minimum();
    printf("%d\n", smallest);
    return 0;
}

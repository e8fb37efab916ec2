/* Inserts into a binary search tree by recursion. */
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

struct tree *insert(struct tree *t, int key)
{
    if (t == NULL)
        return leaf(key);
    if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}

int main(void)
{
    root = leaf(5);
    root = insert(root, 3);
    root = insert(root, 8);
    root = insert(root, 6);
    print(root);
    printf("\n");
    return 0;
}

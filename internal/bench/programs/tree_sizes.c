/* Keeps the number of nodes of every subtree. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key, size;
    struct tree *left, *right;
};

struct tree *root;

struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof(struct tree));
    t->key = key;
    t->size = 0;
    t->left = NULL;
    t->right = NULL;
    return t;
}

void measure(struct tree *t)
{
    int left = 0, right = 0;
    if (t->left != NULL) {
        measure(t->left);
        left = t->left->size;
    }
    if (t->right != NULL) {
        measure(t->right);
        right = t->right->size;
    }
    t->size = left + right + 1;
}

void print(struct tree *t)
{
    if (t == NULL)
        return;
    print(t->left);
    printf("%d:%d ", t->key, t->size);
    print(t->right);
}

int main(void)
{
    root = leaf(4);
    root->left = leaf(2);
    root->right = leaf(6);
    root->right->left = leaf(5);
    measure(root);
    print(root);
    printf("\n");
    return 0;
}

/* Inserts into a binary search tree without recursion. */
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

void insert(int key)
{
    struct tree *parent = NULL, *current = root, *node = leaf(key);
    while (current != NULL) {
        parent = current;
        if (key < current->key)
            current = current->left;
        else
            current = current->right;
    }
    if (parent == NULL)
        root = node;
    else if (key < parent->key)
        parent->left = node;
    else
        parent->right = node;
}

int main(void)
{
    insert(5);
    insert(3);
    insert(8);
    insert(7);
    insert(4);
    print(root);
    printf("\n");
    return 0;
}

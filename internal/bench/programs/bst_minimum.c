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

void add(int key)
{
    struct tree **at = &root;
    while (*at != NULL)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
}

void print(const struct tree *t)
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
    if (t == NULL)
        return;
    while (t->left != NULL)
        t = t->left;
    smallest = t->key;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        add(atoi(argv[i]));
    minimum();
    printf("%d\n", smallest);
    return 0;
}

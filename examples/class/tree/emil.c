#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

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
    if (t == NULL) {
        t = malloc(sizeof(struct tree));
        t->key = key;
        t->left = NULL;
        t->right = NULL;
    } else if (key < t->key) {
        t->right = insert(t->right, key);
    } else if (key > t->key) {
        t->left = insert(t->left, key);
    }
    return t;
}

int main(int argc, char **argv)
{
    struct tree *root = NULL;
    for (int i = 1; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    if (argc == 1) {
        int keys[] = {4, 2, 6, 1, 3};
        for (int i = 0; i < 5; i++)
            root = insert(root, keys[i]);
    }
    print(root);
    printf("\n");
    return 0;
}

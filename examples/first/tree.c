#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

struct tree *root;

void insert(int key)
{
    struct tree *n = calloc(1, sizeof *n), *t = root;
    n->key = key;
    if (t == NULL) {
        root = n;
        return;
    }
    while (t != NULL) {
        if (key < t->key) {
            if (t->left == NULL) {
                t->left = n;
                return;
            }
            t = t->left;
        } else {
            if (t->right == NULL) {
                t->left = n;
                return;
            }
            t = t->right;
        }
    }
}

void print(struct tree *t)
{
    if (t == NULL)
        return;
    print(t->left);
    printf("%d ", t->key);
    print(t->right);
}

int main(void)
{
    insert(50);
    insert(30);
    insert(20);
    insert(40);
    print(root);
    printf("\n");
    return 0;
}

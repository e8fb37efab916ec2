/* How many keys of a search tree lie in a range, and the depth of the tree. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

int in_range(struct tree *t, int low, int high)
{
    if (t == NULL)
        return 0;
    if (t->key < low)
        return in_range(t->right, low, high);
    if (t->key > high)
        return in_range(t->left, low, high);
    return 1 + in_range(t->left, low, high) + in_range(t->right, low, high);
}

static struct tree *add(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = key;
        t->left = t->right = NULL;
    } else if (key < t->key) {
        t->left = add(t->left, key);
    } else {
        t->right = add(t->right, key);
    }
    return t;
}

int main(void)
{
    struct tree *t = NULL;
    int keys[] = {5, 2, 8, 1, 9}, i;
    for (i = 0; i < 5; i++)
        t = add(t, keys[i]);
    printf("%d\n", in_range(t, 2, 8));
    return 0;
}

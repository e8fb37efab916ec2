#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* animals by name in a binary search tree; the shape is printed with dots for depth */

typedef struct animal *tree;

struct animal {
    char *name;
    int seen;
    tree left, right;
};

tree leaf(const char *name)
{
    tree t = malloc(sizeof(struct animal));
    t->name = malloc(strlen(name) + 1);
    strcpy(t->name, name);
    t->seen = 1;
    t->left = t->right = NULL;
    return t;
}

tree insert(tree t, const char *name)
{
    int c;

    if (t == NULL)
        return leaf(name);
    c = strcmp(name, t->name);
    if (c < 0)
        t->left = insert(t->left, name);
    else if (c > 0)
        t->right = insert(t->right, name);
    else
        t->seen++;
    return t;
}

/* takes the smallest of a tree out; returns the rest */
tree cut_smallest(tree t, tree *smallest)
{
    if (t->left == NULL) {
        *smallest = t;
        return t->right;
    }
    t->left = cut_smallest(t->left, smallest);
    return t;
}

tree delete(tree t, const char *name)
{
    tree s;
    int c;

    if (t == NULL) {
        printf("no %s\n", name);
        return NULL;
    }
    c = strcmp(name, t->name);
    if (c < 0) {
        t->left = delete(t->left, name);
        return t;
    }
    if (c > 0) {
        t->right = delete(t->right, name);
        return t;
    }
    if (t->left == NULL) {
        s = t->right;
    } else if (t->right == NULL) {
        s = t->left;
    } else {
        tree rest = cut_smallest(t->right, &s);
        s->left = t->left;
        s->right = rest;
    }
    free(t->name);
    free(t);
    return s;
}

void print(tree t, int depth)
{
    int i;

    if (t == NULL)
        return;
    print(t->left, depth + 1);
    for (i = 0; i < depth; i++)
        putchar('.');
    printf("%s", t->name);
    if (t->seen > 1)
        printf(" x%d", t->seen);
    putchar('\n');
    print(t->right, depth + 1);
}

void destroy(tree t)
{
    if (t == NULL)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t->name);
    free(t);
}

int main(int argc, char *argv[])
{
    tree root = NULL;
    int i;

    for (i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            root = delete(root, argv[i] + 1);
        else
            root = insert(root, argv[i]);
    }
    if (root == NULL)
        printf("nothing\n");
    print(root, 0);
    destroy(root);
    return 0;
}

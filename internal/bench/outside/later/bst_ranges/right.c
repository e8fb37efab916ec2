#include <stdio.h>
#include <stdlib.h>

/* A search tree of distinct numbers. Arguments: 5 inserts, -5 deletes, LO:HI asks how many
 * are between LO and HI and what they add up to. */

typedef struct Node
{
    int key;
    struct Node *left;
    struct Node *right;
} Node;

typedef struct
{
    int count;
    long sum;
} Range;

Node *insert(Node *n, int key)
{
    if (n == NULL)
    {
        n = malloc(sizeof(Node));
        n->key = key;
        n->left = NULL;
        n->right = NULL;
        return n;
    }
    if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    return n;
}

Node *removeKey(Node *n, int key)
{
    if (n == NULL)
        return NULL;
    if (key < n->key)
        n->left = removeKey(n->left, key);
    else if (key > n->key)
        n->right = removeKey(n->right, key);
    else if (n->left != NULL && n->right != NULL)
    {
        Node *m = n->right;
        while (m->left != NULL)
            m = m->left;
        n->key = m->key;
        n->right = removeKey(n->right, m->key);
    }
    else
    {
        Node *child = n->left != NULL ? n->left : n->right;
        free(n);
        return child;
    }
    return n;
}

void collect(const Node *n, int lo, int hi, Range *r)
{
    if (n == NULL)
        return;
    if (n->key > lo)
        collect(n->left, lo, hi, r);
    if (n->key >= lo && n->key <= hi)
    {
        r->count++;
        r->sum += n->key;
    }
    if (n->key < hi)
        collect(n->right, lo, hi, r);
}

void printTree(const Node *n)
{
    if (n == NULL)
        return;
    printTree(n->left);
    printf(" %d", n->key);
    printTree(n->right);
}

void freeTree(Node *n)
{
    if (n != NULL)
    {
        freeTree(n->left);
        freeTree(n->right);
        free(n);
    }
}

int main(int argc, char *argv[])
{
    Node *root = NULL;
    int i, lo, hi;

    for (i = 1; i < argc; i++)
    {
        if (sscanf(argv[i], "%d:%d", &lo, &hi) == 2)
        {
            Range r = {0, 0};
            collect(root, lo, hi, &r);
            printf("%d..%d: %d, sum %ld\n", lo, hi, r.count, r.sum);
        }
        else if (atoi(argv[i]) < 0)
            root = removeKey(root, -atoi(argv[i]));
        else
            root = insert(root, atoi(argv[i]));
    }
    printf("tree:");
    printTree(root);
    printf("\n");
    freeTree(root);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int key;
    struct node *left, *right;
} Node;

Node *new_node(int key)
{
    Node *n = malloc(sizeof(Node));
    n->key = key;
    n->left = NULL;
    n->right = NULL;
    return n;
}

Node *insert(Node *root, int key)
{
    if (root == NULL)
        return new_node(key);
    if (key < root->key)
        root->left = insert(root->left, key);
    else if (key > root->key)
        root->right = insert(root->right, key);
    return root;
}

int count(Node *root)
{
    if (root == NULL)
        return 0;
    return 1 + count(root->left) + count(root->right);
}

int height(Node *root)
{
    if (root == NULL)
        return 0;
    int l = height(root->left);
    int r = height(root->right);
    if (l > r)
        return l + 1;
    else
        return r + 1;
}

void inorder(Node *root)
{
    if (root != NULL) {
        inorder(root->left);
        printf("%d ", root->key);
        inorder(root->right);
    }
}

int main()
{
    Node *root = NULL;
    int x;

    while (scanf("%d", &x) == 1)
        root = insert(root, x);
    inorder(root);
    printf("\nnodes: %d height: %d\n", count(root), height(root));
    return 0;
}

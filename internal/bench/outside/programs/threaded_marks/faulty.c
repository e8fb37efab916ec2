#include <stdio.h>
#include <stdlib.h>

/* Binary search tree whose right pointers, where there is no right child,
   lead to the next key in order. */

struct tnode {
    int mark;
    struct tnode *left, *right;
    int thread;          /* right is a thread */
};

static struct tnode *newNode(int mark)
{
    struct tnode *n = malloc(sizeof(*n));
    n->mark = mark;
    n->left = NULL;
    n->right = NULL;
    n->thread = 1;
    return n;
}

static struct tnode *insert(struct tnode *root, int mark)
{
    struct tnode *n, *p = root;
    if (root == NULL)
        return newNode(mark);
    for (;;) {
        if (mark == p->mark)
            return root;
        if (mark < p->mark) {
            if (p->left == NULL)
                break;
            p = p->left;
        } else {
            if (p->thread)
                break;
            p = p->right;
        }
    }
    n = newNode(mark);
    if (mark < p->mark) {
        n->right = p;
        p->left = n;
    } else {
        n->right = p->right;
        p->right = n;
    }
    return root;
}

static struct tnode *leftmost(struct tnode *n)
{
    while (n != NULL && n->left != NULL)
        n = n->left;
    return n;
}

static struct tnode *successor(struct tnode *n)
{
    if (n->thread)
        return n->right;
    return leftmost(n->right);
}

static int sumBetween(struct tnode *root, int lo, int hi)
{
    int sum = 0;
    struct tnode *n;
    for (n = leftmost(root); n != NULL; n = successor(n))
        if (n->mark >= lo && n->mark <= hi)
            sum += n->mark;
    return sum;
}

int main(int argc, char **argv)
{
    struct tnode *root = NULL, *n, *next;
    int i;
    for (i = 1; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    for (n = leftmost(root); n != NULL; n = successor(n))
        printf("%d ", n->mark);
    printf("\nsum of 10 to 20: %d\n", sumBetween(root, 10, 20));
    for (n = leftmost(root); n != NULL; n = next) {
        next = successor(n);
        free(n);
    }
    return 0;
}

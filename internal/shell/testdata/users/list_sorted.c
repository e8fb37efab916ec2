// insert 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
static struct node *head;
static void insert(int v)
{
    struct node *n = malloc(sizeof *n), **p = &head;
    n->v = v;
    while (*p != NULL && (*p)->v < v)
        p = &(*p)->next;
    n->next = *p;
    head = n; //! *p = n;
}
static void run(const int *a, int n)
{
    head = NULL;
    for (int i = 0; i < n; i++)
        insert(a[i]);
    for (struct node *l = head; l; l = l->next)
        printf("%d ", l->v);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {4, 9, 2, 1, 0, 7, 7};
#else
    static const int a[] = {5, 3, 1, 4};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

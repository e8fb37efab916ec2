// insert_after 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next, *prev; };
static void insert_after(struct node *at, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = at->next;
    n->prev = at;
    if (at->next != NULL)
        at->next->prev = at; //! at->next->prev = n;
    at->next = n;
}
static void run(const int *a, int n)
{
    struct node *h = calloc(1, sizeof *h), *p;
    for (int i = 0; i < n; i++)
        insert_after(h, a[i]);
    for (p = h; p->next; p = p->next)
        printf("%d ", p->v);
    for (; p; p = p->prev)
        printf("%d ", p->v);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {7, 1, 5, 9, 7};
#else
    static const int a[] = {1, 2};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

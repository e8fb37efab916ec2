// append 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
static struct node *append(struct node *list, int v)
{
    struct node *n = malloc(sizeof *n), *p = list;
    n->v = v;
    n->next = NULL;
    if (list == NULL)
        return n;
    while (p->next != NULL)
        p = p->next;
    list->next = n; //! p->next = n;
    return list;
}
static void run(const int *a, int n)
{
    struct node *l = NULL;
    for (int i = 0; i < n; i++)
        l = append(l, a[i]);
    for (; l; l = l->next)
        printf("%d ", l->v);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {4, 9, 9, 1, 0, 7};
#else
    static const int a[] = {1, 2, 3};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

// unlink_node 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next, *prev; };
static struct node *head;
static void unlink_node(struct node *n)
{
    if (n->prev != NULL)
        n->prev->next = n->next;
    else
        head = n->next;
    //! if (n->next != NULL) n->next->prev = n->prev;
}
static void run(const int *a, int n)
{
    struct node *p, *at = NULL;
    head = NULL;
    for (int i = 0; i < n; i++) {
        p = malloc(sizeof *p);
        p->v = a[i];
        p->prev = NULL;
        p->next = head;
        if (head)
            head->prev = p;
        head = p;
        if (i == 1)
            at = p;
    }
    unlink_node(at);
    for (p = head; p->next; p = p->next)
        printf("%d ", p->v);
    for (; p; p = p->prev)
        printf("%d ", p->v);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {7, 1};
#else
    static const int a[] = {4, 3, 2, 1};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

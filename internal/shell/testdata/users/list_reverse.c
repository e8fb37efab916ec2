// reverse 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
static struct node *reverse(struct node *list)
{
    struct node *done = NULL, *rest;
    while (list != NULL) {
        rest = list->next;
        list->next = done;
        done = rest; //! done = list;
        list = rest;
    }
    return done;
}
static void run(const int *a, int n)
{
    struct node *l = NULL;
    for (int i = 0; i < n; i++) {
        struct node *x = malloc(sizeof *x);
        x->v = a[i];
        x->next = l;
        l = x;
    }
    l = reverse(l);
    for (; l; l = l->next)
        printf("%d ", l->v);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {7, 1, 5, 9, 7};
#else
    static const int a[] = {3, 2, 1};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

// remove_value 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
static struct node *remove_value(struct node *list, int v)
{
    struct node *prev = NULL, *p = list;
    while (p != NULL) {
        if (p->v == v) {
            if (prev == NULL)
                return p->next;
            prev->next = p; //! prev->next = p->next;
            return list;
        }
        prev = p;
        p = p->next;
    }
    return list;
}
static void run(const int *a, int n)
{
    struct node *l = NULL;
    for (int i = n - 1; i > 0; i--) {
        struct node *x = malloc(sizeof *x);
        x->v = a[i];
        x->next = l;
        l = x;
    }
    l = remove_value(l, a[0]);
    for (; l; l = l->next)
        printf("%d ", l->v);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {7, 1, 5, 9, 7};
#else
    static const int a[] = {2, 1, 2, 3};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

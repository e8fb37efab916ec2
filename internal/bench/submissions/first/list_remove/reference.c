/* Read N and N integers into a linked list, then a value; remove its first occurrence and print the list, numbers separated by blanks ("empty" for an empty list). */
#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

int main(void)
{
    struct node *head = NULL, **p = &head;
    int n, x;

    scanf("%d", &n);
    while (n-- > 0) {
        *p = malloc(sizeof **p);
        scanf("%d", &(*p)->v);
        (*p)->next = NULL;
        p = &(*p)->next;
    }
    scanf("%d", &x);
    for (p = &head; *p && (*p)->v != x; p = &(*p)->next)
        ;
    if (*p) {
        struct node *gone = *p;
        *p = gone->next;
        free(gone);
    }
    if (!head)
        printf("empty");
    for (struct node *q = head; q; q = q->next)
        printf("%d%s", q->v, q->next ? " " : "");
    printf("\n");
    return 0;
}

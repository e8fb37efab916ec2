/* Inserts a number into a sorted list. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *insert(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    struct node *p = head;
    n->value = value;
    n->next = NULL;
    if (head == NULL || value <= head->value) {
        n->next = head;
        return n;
    }
    while (p->next != NULL && p->next->value < value)
        p = p->next;
    n->next = p->next;
    p->next = n;
    return head;
}

int main(void)
{
    struct node *l = NULL;
    l = insert(l, 5);
    l = insert(l, 2);
    l = insert(l, 9);
    l = insert(l, 4);
    for (; l != NULL; l = l->next)
        printf("%d ", l->value);
    printf("\n");
    return 0;
}

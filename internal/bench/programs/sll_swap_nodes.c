/* Swaps the nodes of two keys by relinking them. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

void push(int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = head;
    head = n;
}

void print(const struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

void swap_nodes(int x, int y)
{
    struct node *before_x = NULL, *at_x = head;
    struct node *before_y = NULL, *at_y = head;
    struct node *rest;
    if (x == y)
        return;
    while (at_x != NULL && at_x->data != x) {
        before_x = at_x;
        at_x = at_x->next;
    }
    while (at_y != NULL && at_y->data != y) {
        before_y = at_y;
        at_y = at_y->next;
    }
    if (at_x == NULL || at_y == NULL)
        return;
    if (before_x != NULL)
        before_x->next = at_y;
    else
        head = at_y;
    if (before_y != NULL)
        before_y->next = at_x;
    else
        head = at_x;
    rest = at_x->next;
    at_x->next = at_y->next;
    at_y->next = rest;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    for (int i = argc - 1; i > 2; i--)
        push(atoi(argv[i]));
    swap_nodes(atoi(argv[1]), atoi(argv[2]));
    print(head);
    return 0;
}

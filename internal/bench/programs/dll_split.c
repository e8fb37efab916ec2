/* Splits a doubly linked list in front of the first node that is greater than a pivot. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next, *prev;
};

struct node *head;

struct node *rest;

void push(int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = head;
    n->prev = NULL;
    if (head != NULL)
        head->prev = n;
    head = n;
}

/* Prints the list forwards, then backwards. */
void print(const struct node *n)
{
    const struct node *last = NULL;
    for (; n != NULL; n = n->next) {
        printf("%d ", n->data);
        last = n;
    }
    printf("|");
    for (; last != NULL; last = last->prev)
        printf(" %d", last->data);
    printf("\n");
}

void split(int pivot)
{
    struct node *current = head, *before;
    while (current != NULL && current->data <= pivot)
        current = current->next;
    if (current == NULL)
        return;
    before = current->prev;
    rest = current;
    current->prev = NULL;
    if (before == NULL)
        head = NULL;
    else
        before->next = NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        push(atoi(argv[i]));
    split(atoi(argv[1]));
    print(head);
    print(rest);
    return 0;
}

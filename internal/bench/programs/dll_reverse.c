/* Reverses a doubly linked list by swapping the links of every node. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next, *prev;
};

struct node *head;

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

void print(struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

void reverse(void)
{
    struct node *current = head, *before = NULL, *after = NULL;
    while (current != NULL) {
        before = current->prev;
        after = current->next;
        current->prev = after;
        current->next = before;
        current = current->prev;
    }
    if (before != NULL)
        head = before->prev;
}

int main(void)
{
    push(2);
    push(4);
    push(8);
    push(10);
    reverse();
    print(head);
    return 0;
}

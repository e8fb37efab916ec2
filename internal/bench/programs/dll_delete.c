/* Unlinks a node from a doubly linked list. */
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

void delete(struct node *node)
{
    if (node == NULL)
        return;
    if (node == head)
        head = node->next;
    if (node->next != NULL)
        node->next->prev = node->prev;
    if (node->prev != NULL)
        node->prev->next = node->next;
    free(node);
}

int main(void)
{
    push(1);
    push(2);
    push(3);
    push(4);
    delete(head->next);
    delete(head);
    print(head);
    return 0;
}

/* Reverses a doubly linked list: the motivating example of Wolverine2,
 * Figure 1, with its three bugs. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
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

void reverse(void)
{
    struct node *current, *temp1 = NULL, *temp2 = NULL;
    current = head;
    while (temp1 != NULL) {
        temp1 = current->prev;
        temp2 = current->prev;
        current->prev = temp2;
        current->next = temp1;
        current = current->prev;
    }
}

int main(void)
{
    push(2);
    push(4);
    push(8);
    push(10);
    reverse();
    for (struct node *n = head; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
    return 0;
}

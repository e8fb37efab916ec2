/* Removes neighbours with equal values from a sorted list. */
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

void print(struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

void unique(void)
{
    struct node *current = head, *twin;
    while (current != NULL && current->next != NULL) {
        if (current->data == current->next->data) {
            twin = current->next;
            current->next = twin->next;
            free(twin);
        } else {
            current = current->next;
        }
    }
}

int main(void)
{
    push(3);
    push(3);
    push(2);
    push(1);
    push(1);
    unique();
    print(head);
    return 0;
}

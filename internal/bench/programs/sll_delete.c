/* Deletes the first node with a value. */
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

void delete(int key)
{
    struct node *current = head, *prev = NULL;
    while (current != NULL && current->data != key) {
        prev = current;
        current = current->next;
    }
    if (current == NULL)
        return;
    if (prev == NULL)
        head = current->next;
    else
        prev->next = current->next;
    free(current);
}

int main(void)
{
    push(5);
    push(6);
    push(7);
    push(8);
    delete(6);
    print(head);
    return 0;
}

/* Merges two sorted lists. */
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

struct node *merge(struct node *a, struct node *b)
{
    struct node *result = NULL, **tail = &result;
    while (a != NULL && b != NULL) {
        if (a->data <= b->data) {
            *tail = a;
            a = a->next;
        } else {
            *tail = b;
            b = b->next;
        }
        tail = &(*tail)->next;
    }
    if (a != NULL)
        *tail = a;
    else
        *tail = b;
    return result;
}

int main(void)
{
    struct node *odd, *even;
    push(5);
    push(3);
    push(1);
    odd = head;
    head = NULL;
    push(6);
    push(2);
    even = head;
    head = merge(odd, even);
    print(head);
    return 0;
}

/* Turns an array into a circular list. */
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

void create(const int *values, int n)
{
    struct node *last = NULL, *node;
    int i;
    for (i = 0; i < n; i++) {
        node = malloc(sizeof(struct node));
        node->data = values[i];
        node->next = NULL;
        if (last == NULL)
            head = node;
        else
            last->next = node;
        last = node;
    }
    if (last != NULL)
        last->next = head;
}

int main(void)
{
    int values[] = {3, 1, 2};
    struct node *n;
    create(values, 3);
    n = head;
    do {
        printf("%d ", n->data);
        n = n->next;
    } while (n != head);
    printf("\n");
    return 0;
}

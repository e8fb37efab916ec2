/* Inserts into a list that is kept in ascending order. */
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

void insert(int data)
{
    struct node *node = malloc(sizeof(struct node));
    struct node *current;
    node->data = data;
    node->next = NULL;
    if (head == NULL || head->data >= data) {
        node->next = head;
        head = node;
        return;
    }
    current = head;
    while (current->next != NULL && current->next->data < data)
        current = current->next;
    node->next = current->next;
    current->next = node;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        push(atoi(argv[i]));
    insert(atoi(argv[1]));
    print(head);
    return 0;
}

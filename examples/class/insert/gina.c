#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *push(struct node *head, int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = head;
    return n;
}

void print(struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

struct node *insert(struct node *head, int data)
{
    if (head == NULL || data <= head->data) {
        struct node *n = malloc(sizeof(struct node));
        n->data = data;
        n->next = head;
        return n;
    }
    head->next = insert(head, data);
    return head;
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        head = push(head, atoi(argv[i]));
    head = insert(head, atoi(argv[1]));
    print(head);
    return 0;
}

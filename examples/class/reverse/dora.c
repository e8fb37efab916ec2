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

struct node *reverse(struct node *head)
{
    struct node *rest;
    if (head->next == NULL)
        return head;
    rest = reverse(head->next);
    head->next->next = head;
    head->next = NULL;
    return rest;
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    for (int i = argc - 1; i > 0; i--)
        head = push(head, atoi(argv[i]));
    head = reverse(head);
    print(head);
    return 0;
}

/* Inserts a value behind the first node with the key. */
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

void print(const struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

struct node *insert_after(struct node *head, int key, int data)
{
    struct node *at = head;
    struct node *node = malloc(sizeof(struct node));
    node->data = data;
    while (at != NULL && at->data != key)
        at = at->next;
    if (at == NULL) {
        node->next = head;
        return node;
    }
    node->next = at->next;
    at->next = node;
    return head;
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        head = push(head, atoi(argv[i]));
    head = insert_after(head, atoi(argv[1]), 99);
    print(head);
    return 0;
}

/* Unlinks the first node with a value from a doubly linked list. */
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

/* Prints the list forwards, then backwards. */
void print(const struct node *n)
{
    const struct node *last = NULL;
    for (; n != NULL; n = n->next) {
        printf("%d ", n->data);
        last = n;
    }
    printf("|");
    for (; last != NULL; last = last->prev)
        printf(" %d", last->data);
    printf("\n");
}

int delete(int value)
{
    struct node *node = head;
    while (node != NULL && node->data != value)
        node = node->next;
    if (node == NULL)
        return 0;
    if (node == head)
        head = node->next;
    if (node->next != NULL)
        node->next->prev = node->prev;
    if (node->prev != NULL)
        node->prev->next = node->next;
    free(node);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        push(atoi(argv[i]));
    printf("%d: ", delete(atoi(argv[1])));
    print(head);
    return 0;
}

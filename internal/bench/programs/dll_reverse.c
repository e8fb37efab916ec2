/* Reverses a doubly linked list by swapping the links of every node. */
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

void reverse(void)
{
    struct node *current = head, *before = NULL, *after = NULL;
    while (current != NULL) {
        before = current->prev;
        after = current->next;
        current->prev = after;
        current->next = before;
        current = current->prev;
    }
    if (before != NULL)
        head = before->prev;
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    reverse();
    print(head);
    return 0;
}

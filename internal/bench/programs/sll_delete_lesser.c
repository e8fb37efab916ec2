/* Deletes every node that has a greater value behind it, with a reversal there and back. */
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

struct node *reverse(struct node *list)
{
    struct node *done = NULL, *next;
    while (list != NULL) {
        next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

struct node *delete_lesser(struct node *head)
{
    struct node *current, *gone, *greatest;
    head = reverse(head);
    current = head;
    greatest = head;
    while (current != NULL && current->next != NULL) {
        if (current->next->data < greatest->data) {
            gone = current->next;
            current->next = gone->next;
            free(gone);
        } else {
            current = current->next;
            greatest = current;
        }
    }
    return reverse(head);
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    for (int i = argc - 1; i > 0; i--)
        head = push(head, atoi(argv[i]));
    head = delete_lesser(head);
    print(head);
    return 0;
}

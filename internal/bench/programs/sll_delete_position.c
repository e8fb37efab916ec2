/* Deletes the node at a position, counted from 0. */
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

int delete_position(int position)
{
    struct node *current = head, *before = NULL;
    int i = 0;
    if (head == NULL || position < 0)
        return 0;
    if (position == 0) {
        head = current->next;
        free(current);
        return 1;
    }
    while (current != NULL && i < position) {
        before = current;
        current = current->next;
        i++;
    }
    if (current == NULL)
        return 0;
    before->next = current->next;
    free(current);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        push(atoi(argv[i]));
    printf("%d: ", delete_position(atoi(argv[1])));
    print(head);
    return 0;
}

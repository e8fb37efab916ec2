/* Moves the last node to the front. */
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

void last_to_first(void)
{
    struct node *last = head, *before = NULL;
    if (head == NULL || head->next == NULL)
        return;
    while (last->next != NULL) {
        before = last;
        last = last->next;
    }
    before->next = NULL;
    last->next = head;
    head = last;
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    last_to_first();
    print(head);
    return 0;
}

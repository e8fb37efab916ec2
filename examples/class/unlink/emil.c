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

void print(void)
{
    struct node *n = head, *last = NULL;
    for (; n != NULL; n = n->next) {
        printf("%d ", n->data);
        last = n;
    }
    printf("|");
    for (; last != NULL; last = last->prev)
        printf(" %d", last->data);
    printf("\n");
}

void unlink_value(int value)
{
    struct node *n = head;
    while (n != NULL && n->data != value)
        n = n->next;
    if (n == NULL)
        return;
    free(n);
    if (n->prev != NULL)
        n->prev->next = n->next;
    else
        head = n->next;
    if (n->next != NULL)
        n->next->prev = n->prev;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        push(atoi(argv[i]));
    unlink_value(atoi(argv[1]));
    print();
    return 0;
}

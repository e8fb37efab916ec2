/* Swaps neighbours pairwise by relinking. */
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

void swap_pairs(void)
{
    struct node *prev = NULL, *first = head, *second;
    while (first != NULL && first->next != NULL) {
        second = first->next;
        first->next = second->next;
        second->next = first;
        if (prev == NULL)
            head = second;
        else
            prev->next = second;
        prev = first;
        first = first->next;
    }
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    swap_pairs();
    print(head);
    return 0;
}

/* Splits a list into values below a pivot and the others, both in order, and joins them. */
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

void partition(int pivot)
{
    struct node *low = NULL, *low_end = NULL, *high = NULL, *high_end = NULL;
    struct node *current;
    for (current = head; current != NULL; current = current->next) {
        if (current->data < pivot) {
            if (low == NULL)
                low = current;
            else
                low_end->next = current;
            low_end = current;
        } else {
            if (high == NULL)
                high = current;
            else
                high_end->next = current;
            high_end = current;
        }
    }
    if (high_end != NULL)
        high_end->next = NULL;
    if (low == NULL) {
        head = high;
        return;
    }
    low_end->next = high;
    head = low;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        push(atoi(argv[i]));
    partition(atoi(argv[1]));
    print(head);
    return 0;
}

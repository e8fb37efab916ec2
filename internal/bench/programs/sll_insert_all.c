/* Sorts a list by inserting its nodes one by one into a sorted list. */
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

void insertion_sort(void)
{
    struct node *sorted = NULL, *current = head, *next, *at;
    while (current != NULL) {
        next = current->next;
        if (sorted == NULL || sorted->data >= current->data) {
            current->next = sorted;
            sorted = current;
        } else {
            at = sorted;
            while (at->next != NULL && at->next->data < current->data)
                at = at->next;
            current->next = at->next;
            at->next = current;
        }
        current = next;
    }
    head = sorted;
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    insertion_sort();
    print(head);
    return 0;
}

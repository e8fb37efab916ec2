/* Quicksort of a list: the first node is the pivot, both parts are sorted and joined. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

/* What divide leaves: the nodes below the pivot and the others. */
struct node *low, *high;

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

void divide(struct node *pivot)
{
    struct node *current = pivot->next, *next;
    low = NULL;
    high = NULL;
    while (current != NULL) {
        next = current->next;
        if (current->data < pivot->data) {
            current->next = low;
            low = current;
        } else {
            current->next = high;
            high = current;
        }
        current = next;
    }
    pivot->next = NULL;
}

struct node *join(struct node *first, struct node *pivot, struct node *second)
{
    struct node *end = first;
    pivot->next = second;
    if (first == NULL)
        return pivot;
    while (end->next != NULL)
        end = end->next;
    end->next = pivot;
    return first;
}

struct node *quicksort(struct node *list)
{
    struct node *below, *above;
    if (list == NULL || list->next == NULL)
        return list;
    divide(list);
    below = low;
    above = high;
    below = quicksort(below);
    above = quicksort(above);
    return join(below, list, above);
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    for (int i = argc - 1; i > 0; i--)
        head = push(head, atoi(argv[i]));
    head = quicksort(head);
    print(head);
    return 0;
}

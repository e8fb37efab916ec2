/* Quicksort of a list: the first node is the pivot, both parts are sorted and joined. */
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

struct node *join(struct node *low, struct node *pivot, struct node *high)
{
    struct node *end = low;
    pivot->next = high;
    if (low == NULL)
        return pivot;
    while (end->next != NULL)
        end = end->next;
    end->next = pivot;
    return low;
}

struct node *quicksort(struct node *list)
{
    struct node *pivot = list, *low = NULL, *high = NULL, *current, *next;
    if (list == NULL || list->next == NULL)
        return list;
    current = list->next;
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
    low = quicksort(low);
    high = quicksort(high);
    return join(low, pivot, high);
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

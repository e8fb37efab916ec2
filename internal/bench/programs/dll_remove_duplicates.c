/* Removes neighbours with equal values from a sorted doubly linked list. */
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

void remove_duplicates(void)
{
    struct node *current = head, *twin;
    if (head == NULL)
        return;
    while (current->next != NULL) {
        if (current->data == current->next->data) {
            twin = current->next;
            current->next = twin->next;
            if (twin->next != NULL)
                twin->next->prev = current;
            free(twin);
        } else {
            current = current->next;
        }
    }
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    remove_duplicates();
    print(head);
    return 0;
}

/* Sorts a list that is sorted by absolute values: negative ones move to the front. */
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

void absolute_sort(void)
{
    struct node *prev = head, *current;
    if (head == NULL)
        return;
    current = head->next;
    while (current != NULL) {
        if (current->data < prev->data) {
            prev->next = current->next;
            current->next = head;
            head = current;
            current = prev;
        } else {
            prev = current;
        }
        current = current->next;
    }
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    absolute_sort();
    print(head);
    return 0;
}

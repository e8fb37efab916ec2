/* Turns an array into a circular list. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

void print(const struct node *start)
{
    const struct node *n = start;
    if (start == NULL) {
        printf("empty\n");
        return;
    }
    do {
        printf("%d ", n->data);
        n = n->next;
    } while (n != start);
    printf("\n");
}

void create(const int *values, int n)
{
    struct node *last = NULL, *node;
    int i;
    for (i = 0; i < n; i++) {
        node = malloc(sizeof(struct node));
        node->data = values[i];
        node->next = NULL;
        if (last == NULL)
            head = node;
        else
            last->next = node;
        last = node;
    }
    if (last != NULL)
        last->next = head;
}

int main(int argc, char **argv)
{
    int values[32], n = 0;
    for (int i = 1; i < argc && n < 32; i++)
        values[n++] = atoi(argv[i]);
    create(values, n);
    print(head);
    return 0;
}

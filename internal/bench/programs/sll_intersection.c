/* Makes a new list of the values that two ascending lists share. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *first, *second, *both;

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

void intersection(void)
{
    struct node *a = first, *b = second, *last = NULL, *node;
    while (a != NULL && b != NULL) {
        if (a->data < b->data) {
            a = a->next;
        } else if (b->data < a->data) {
            b = b->next;
        } else {
            node = malloc(sizeof(struct node));
            node->data = a->data;
            node->next = NULL;
            if (last == NULL)
                both = node;
            else
                last->next = node;
            last = node;
            a = a->next;
            b = b->next;
        }
    }
}

/* The lists are separated by an argument "/". */
int main(int argc, char **argv)
{
    int i = argc - 1;
    for (; i > 0 && argv[i][0] != '/'; i--)
        second = push(second, atoi(argv[i]));
    for (i--; i > 0; i--)
        first = push(first, atoi(argv[i]));
    intersection();
    print(both);
    return 0;
}

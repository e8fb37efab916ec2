/* Counts the nodes of a list. */
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

int length(struct node *head)
{
    struct node *n = head;
    int count = 0;
    while (n != NULL) {
        count = count + 1;
        n = n->next;
    }
    return count;
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    for (int i = argc - 1; i > 0; i--)
        head = push(head, atoi(argv[i]));
    printf("%d\n", length(head));
    return 0;
}

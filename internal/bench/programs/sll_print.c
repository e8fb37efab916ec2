/* Prints all nodes of a list, with its last value and how many there are. */
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

int last;

int show(struct node *head)
{
    struct node *n = head;
    int count = 0;
    while (n != NULL) {
        printf("%d ", n->data);
        last = n->data;
        count++;
        n = n->next;
    }
    printf("\n");
    return count;
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    for (int i = argc - 1; i > 0; i--)
        head = push(head, atoi(argv[i]));
    int count = show(head);
    printf("%d nodes, the last is %d\n", count, last);
    return 0;
}

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

void print(struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

struct node *delete_all(struct node *head, int key)
{
    struct node *at = head, *gone;
    while (at != NULL && at->next != NULL) {
        if (at->next->data == key) {
            gone = at->next;
            at->next = gone->next;
            free(gone);
        } else {
            at = at->next;
        }
    }
    return head;
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        head = push(head, atoi(argv[i]));
    head = delete_all(head, atoi(argv[1]));
    print(head);
    return 0;
}

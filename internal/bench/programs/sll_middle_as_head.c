/* Moves the middle node to the front. */
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

void middle_as_head(void)
{
    struct node *one = head, *two = head, *before = NULL;
    if (head == NULL)
        return;
    while (two != NULL && two->next != NULL) {
        before = one;
        two = two->next->next;
        one = one->next;
    }
    if (before == NULL)
        return;
    before->next = one->next;
    one->next = head;
    head = one;
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    middle_as_head();
    print(head);
    return 0;
}

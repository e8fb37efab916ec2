/* Deletes the middle node: one pointer runs twice as fast as the other. */
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

void delete_middle(void)
{
    struct node *slow = head, *fast = head, *prev = NULL;
    if (head == NULL)
        return;
    while (fast != NULL && fast->next != NULL) {
        fast = fast->next->next;
        prev = slow;
        slow = slow->next;
    }
    if (prev == NULL)
        head = slow->next;
    else
        prev->next = slow->next;
    free(slow);
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    delete_middle();
    print(head);
    return 0;
}

/* Deletes the middle node with a slow and a fast pointer. */
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

void print(struct node *n)
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

int main(void)
{
    push(5);
    push(4);
    push(3);
    push(2);
    push(1);
    delete_middle();
    print(head);
    return 0;
}

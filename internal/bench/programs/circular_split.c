/* Splits a circular list into two circular halves. */
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

struct node *second;

void split(void)
{
    struct node *slow = head, *fast = head;
    if (head == NULL)
        return;
    while (fast->next != head && fast->next->next != head) {
        fast = fast->next->next;
        slow = slow->next;
    }
    if (fast->next->next == head)
        fast = fast->next;
    second = slow->next;
    fast->next = second;
    slow->next = head;
}

int main(void)
{
    struct node *n;
    push(5);
    n = head;
    push(4);
    push(3);
    push(2);
    push(1);
    n->next = head;
    split();
    n = head;
    do {
        printf("%d ", n->data);
        n = n->next;
    } while (n != head);
    n = second;
    do {
        printf("%d ", n->data);
        n = n->next;
    } while (n != second);
    printf("\n");
    return 0;
}

/* Splits a circular list into two circular halves. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

struct node *second;

void push(int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = head;
    head = n;
}

/* Joins the end of a list to its beginning. */
void close_ring(void)
{
    struct node *n = head;
    if (n == NULL)
        return;
    while (n->next != NULL)
        n = n->next;
    n->next = head;
}

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
    if (slow->next != head)
        second = slow->next;
    fast->next = second;
    slow->next = head;
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    close_ring();
    if (argc < 3)
        return 2;
    split();
    print(head);
    print(second);
    return 0;
}

/* Deals the nodes of a circular list out to two circular lists in turn. */
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

void deal(void)
{
    struct node *current, *first_end, *second_end;
    int turn = 0;
    if (head == NULL || head->next == head)
        return;
    second = head->next;
    first_end = head;
    second_end = second;
    current = second->next;
    while (current != head) {
        if (turn == 0) {
            first_end->next = current;
            first_end = current;
        } else {
            second_end->next = current;
            second_end = current;
        }
        turn = 1 - turn;
        current = current->next;
    }
    first_end->next = head;
    second_end->next = second;
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    close_ring();
    deal();
    print(head);
    print(second);
    return 0;
}

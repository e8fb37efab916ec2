/* Counts the nodes and adds up the values. */
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

int count, sum;

void measure(void)
{
    struct node *n = head;
    count = 0;
    sum = 0;
    while (n != NULL) {
        count = count + 1;
        sum += n->data;
        n = n->next;
    }
}

int main(void)
{
    push(5);
    push(9);
    push(4);
    measure();
    printf("%d %d\n", count, sum);
    return 0;
}

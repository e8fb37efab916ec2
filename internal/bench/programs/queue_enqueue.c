/* A queue with both ends. */
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

struct queue {
    struct node *front, *back;
    int length;
};

void enqueue(struct queue *q, int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = NULL;
    if (q->back == NULL)
        q->front = n;
    else
        q->back->next = n;
    q->back = n;
    q->length++;
}

int main(void)
{
    struct queue q = {NULL, NULL, 0};
    enqueue(&q, 4);
    enqueue(&q, 6);
    enqueue(&q, 9);
    print(q.front);
    printf("%d\n", q.length);
    return 0;
}

/* A queue with both ends. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct queue {
    struct node *front, *back;
    int length;
};

void print(const struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

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

int main(int argc, char **argv)
{
    struct queue q = {NULL, NULL, 0};
    for (int i = 1; i < argc; i++)
        enqueue(&q, atoi(argv[i]));
    print(q.front);
    printf("%d, the last is %d\n", q.length, q.back != NULL ? q.back->data : 0);
    return 0;
}

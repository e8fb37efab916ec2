// dequeue 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
struct queue { struct node *head, *tail; int n; };
static int dequeue(struct queue *q)
{
    struct node *n = q->head;
    int v = n->v;
    q->head = n->next;
    if (q->head == NULL)
        q->tail = NULL;
    //! q->n--;
    return v;
}
static void enqueue(struct queue *q, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    if (q->tail) q->tail->next = n; else q->head = n;
    q->tail = n;
    q->n++;
}
static void run(const int *a, int n)
{
    struct queue q = {0};
    for (int i = 0; i < n; i++)
        enqueue(&q, a[i]);
    while (q.head) {
        int v = dequeue(&q);
        printf("%d:%d ", v, q.n);
    }
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {7};
#else
    static const int a[] = {5, 1, 3};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

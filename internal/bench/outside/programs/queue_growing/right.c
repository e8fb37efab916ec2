#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int *data;
    int cap;
    int first;
    int len;
} queue_t;

static void q_init(queue_t *q)
{
    q->cap = 2;
    q->data = malloc(q->cap * sizeof(int));
    q->first = 0;
    q->len = 0;
}

static void q_grow(queue_t *q)
{
    int *bigger = malloc(2 * q->cap * sizeof(int));
    for (int i = 0; i < q->len; i++)
        bigger[i] = q->data[(q->first + i) % q->cap];
    free(q->data);
    q->data = bigger;
    q->cap *= 2;
    q->first = 0;
}

static void q_push(queue_t *q, int v)
{
    if (q->len == q->cap)
        q_grow(q);
    q->data[(q->first + q->len) % q->cap] = v;
    q->len++;
}

static int q_pop(queue_t *q, int *v)
{
    if (q->len == 0)
        return 0;
    *v = q->data[q->first];
    q->first = (q->first + 1) % q->cap;
    q->len--;
    return 1;
}

static long q_sum(const queue_t *q)
{
    long sum = 0;
    for (int i = 0; i < q->len; i++)
        sum += q->data[(q->first + i) % q->cap];
    return sum;
}

int main(int argc, char **argv)
{
    queue_t q;
    int v;

    q_init(&q);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "pop") == 0) {
            if (q_pop(&q, &v))
                printf("%d\n", v);
            else
                printf("empty\n");
        } else
            q_push(&q, atoi(argv[i]));
    }
    printf("%d left, sum %ld\n", q.len, q_sum(&q));
    while (q_pop(&q, &v))
        printf("%d ", v);
    printf("\n");
    free(q.data);
    return 0;
}

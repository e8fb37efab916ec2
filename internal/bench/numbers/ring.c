/* A queue in a ring: numbers above 0 go in, 0 takes one out; what came out, summed. */
#include <stdio.h>

#define SIZE 3

struct ring {
    int data[SIZE];
    int head;
    int count;
};

static int push(struct ring *r, int v)
{
    if (r->count == SIZE)
        return 0;
    r->data[(r->head + r->count) % SIZE] = v;
    r->count++;
    return 1;
}

static int pop(struct ring *r)
{
    int v;
    if (r->count == 0)
        return -1;
    v = r->data[r->head];
    r->head = (r->head + 1) % SIZE;
    r->count--;
    return v;
}

int serve(const int *orders, int n)
{
    struct ring r;
    int sum = 0, i;
    r.head = 0;
    r.count = 0;
    for (i = 0; i < n; i++) {
        if (orders[i] > 0) {
            if (!push(&r, orders[i]))
                sum -= 1000;
        } else {
            sum += (i + 1) * pop(&r);
        }
    }
    return sum * 10 + r.count;
}

int main(void)
{
    int orders[] = {5, 3, 0, 2, 0};
    printf("%d\n", serve(orders, 5));
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct elem {
    int v;
    struct elem *prev;
    struct elem *next;
};

struct deque {
    struct elem *front, *back;
    int count;
};

static struct elem *make(int v)
{
    struct elem *e = malloc(sizeof(struct elem));
    e->v = v;
    e->prev = e->next = NULL;
    return e;
}

static void push_front(struct deque *d, int v)
{
    struct elem *e = make(v);
    e->next = d->front;
    if (d->front)
        d->front->prev = e;
    else
        d->back = e;
    d->front = e;
    d->count++;
}

static void push_back(struct deque *d, int v)
{
    struct elem *e = make(v);
    e->prev = d->back;
    if (d->back)
        d->back->next = e;
    else
        d->front = e;
    d->back = e;
    d->count++;
}

static int pop_front(struct deque *d)
{
    struct elem *e = d->front;
    int v = e->v;
    d->front = e->next;
    if (d->front)
        d->front->prev = NULL;
    d->count--;
    free(e);
    return v;
}

static int pop_back(struct deque *d)
{
    struct elem *e = d->back;
    int v = e->v;
    d->back = e->prev;
    if (d->back)
        d->back->next = NULL;
    else
        d->front = NULL;
    d->count--;
    free(e);
    return v;
}

int main(void)
{
    struct deque d = { NULL, NULL, 0 };
    char cmd[4];
    int v;

    while (scanf("%3s", cmd) == 1) {
        if (strcmp(cmd, "pf") == 0 || strcmp(cmd, "pb") == 0) {
            if (d.count == 0)
                printf("empty\n");
            else
                printf("%d\n", cmd[1] == 'f' ? pop_front(&d) : pop_back(&d));
        } else if (scanf("%d", &v) == 1) {
            if (strcmp(cmd, "f") == 0)
                push_front(&d, v);
            else
                push_back(&d, v);
        }
    }
    printf("%d:", d.count);
    for (struct elem *e = d.front; e; e = e->next)
        printf(" %d", e->v);
    printf(" |");
    for (struct elem *e = d.back; e; e = e->prev)
        printf(" %d", e->v);
    printf("\n");
    while (d.count > 0)
        pop_back(&d);
    return 0;
}

// touch 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int key; struct item *next, *prev; };
struct lru { struct item *first, *last; };
static void touch(struct lru *c, struct item *e)
{
    if (c->first == e)
        return;
    e->prev->next = e->next;
    if (e->next != NULL)
        e->next->prev = e->prev;
    else
        c->last = e; //! c->last = e->prev;
    e->next = c->first;
    e->prev = NULL;
    c->first->prev = e;
    c->first = e;
}
static void run(const int *a, int n)
{
    struct lru c = {0};
    struct item *all[4];
    for (int i = 0; i < 4; i++) {
        struct item *e = calloc(1, sizeof *e);
        e->key = i;
        e->next = c.first;
        if (c.first) c.first->prev = e; else c.last = e;
        c.first = e;
        all[i] = e;
    }
    for (int i = 0; i < n; i++)
        touch(&c, all[a[i]]);
    for (struct item *e = c.first; e; e = e->next)
        printf("%d ", e->key);
    for (struct item *e = c.last; e; e = e->prev)
        printf("%d ", e->key);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {2, 0, 3, 3, 1, 0};
#else
    static const int a[] = {1, 0};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

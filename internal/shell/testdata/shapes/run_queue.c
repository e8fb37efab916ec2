// yield 1
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
struct link { struct link *next, *prev; };
struct task { int id; struct link run; };
#define TASK(l) ((struct task *)((char *)(l) - offsetof(struct task, run)))
static void link_after(struct link *l, struct link *at)
{
    l->prev = at;
    l->next = at->next;
    at->next->prev = l;
    at->next = l;
}
static void unlink1(struct link *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
}
static void yield(struct link *queue, int id)
{
    struct link *l = queue->next;
    while (l != queue && TASK(l)->id != id)
        l = l->next;
    if (l == queue)
        return;
    unlink1(l);
    link_after(l, queue); //! link_after(l, queue->prev);
}
int main(void)
{
    struct link queue = { &queue, &queue };
    for (int i = 1; i <= 3; i++) {
        struct task *t = calloc(1, sizeof *t);
        t->id = i;
        link_after(&t->run, queue.prev);
    }
    yield(&queue, 2);
#ifdef HELD
    yield(&queue, 1);
    yield(&queue, 7);
    yield(&queue, 1);
#endif
    for (struct link *l = queue.next; l != &queue; l = l->next)
        printf("%d ", TASK(l)->id);
    for (struct link *l = queue.prev; l != &queue; l = l->prev)
        printf("%d ", TASK(l)->id);
    printf("\n");
    return 0;
}

// timer_add 3
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define container_of(ptr, type, member) \
    ((type *)((char *)(ptr) - offsetof(type, member)))

struct list_head {
    struct list_head *next, *prev;
};

static inline void list_init(struct list_head *l)
{
    l->next = l->prev = l;
}

static inline void list_add_before(struct list_head *n, struct list_head *pos)
{
    n->prev = pos->prev;
    n->next = pos;
    pos->prev->next = n;
    pos->prev = n;
}

struct timer {
    const char *name;
    unsigned long expires;
    struct list_head entry;
};

static struct list_head timers;

static void timer_add(struct timer *t)
{
    struct list_head *pos;

    for (pos = timers.next; pos != &timers; pos = pos->next) {
        struct timer *other = container_of(pos, struct timer, entry);
        if (other->expires < t->expires) //! if (other->expires > t->expires)
            break;
    }
    list_add_before(&t->entry, pos);
}

static struct timer *timer_new(const char *name, unsigned long expires)
{
    struct timer *t = malloc(sizeof(*t));
    t->name = name;
    t->expires = expires;
    list_init(&t->entry);
    return t;
}

int main(void)
{
    struct list_head *p;

    list_init(&timers);
    timer_add(timer_new("tick", 10));
#ifdef HELD
    timer_add(timer_new("late", 90));
    timer_add(timer_new("soon", 1));
    timer_add(timer_new("mid", 40));
#else
    timer_add(timer_new("flush", 30));
    timer_add(timer_new("poll", 20));
#endif
    for (p = timers.next; p != &timers; p = p->next)
        printf("%s@%lu ", container_of(p, struct timer, entry)->name, container_of(p, struct timer, entry)->expires);
    printf("\n");
    return 0;
}

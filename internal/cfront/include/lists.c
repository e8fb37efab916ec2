/* insque and remque, and the hash table of search.h. What hsearch finds does not
   depend on how the table is made. */
#define _GNU_SOURCE
#include <search.h>
#include <errno.h>
#include <string.h>

extern void *__gulo_scratch(size_t);
extern void __gulo_scratch_free(void *);

struct gulo_link { struct gulo_link *next, *prev; };

void insque(void *elem, void *prev)
{
    struct gulo_link *e = elem, *p = prev;
    if (!p) {
        e->next = e->prev = NULL;
        return;
    }
    struct gulo_link *next = p->next;
    p->next = e;
    e->prev = p;
    e->next = next;
    if (next)
        next->prev = e;
}

void remque(void *elem)
{
    struct gulo_link *e = elem;
    if (e->next)
        e->next->prev = e->prev;
    if (e->prev)
        e->prev->next = e->next;
}

static ENTRY *gulo_table;
static size_t gulo_room, gulo_used;

int hcreate(size_t n)
{
    if (gulo_table)
        return 0;
    gulo_table = __gulo_scratch((n + 1) * sizeof *gulo_table);
    gulo_room = n;
    gulo_used = 0;
    return 1;
}

void hdestroy(void)
{
    if (gulo_table)
        __gulo_scratch_free(gulo_table);
    gulo_table = NULL;
}

ENTRY *hsearch(ENTRY item, ACTION action)
{
    for (size_t i = 0; i < gulo_used; i++)
        if (strcmp(gulo_table[i].key, item.key) == 0)
            return &gulo_table[i];
    if (action == FIND) {
        errno = ESRCH;
        return NULL;
    }
    if (gulo_used == gulo_room) {
        errno = ENOMEM;
        return NULL;
    }
    gulo_table[gulo_used] = item;
    return &gulo_table[gulo_used++];
}

int hcreate_r(size_t n, struct hsearch_data *t)
{
    if (!t) {
        errno = EINVAL;
        return 0;
    }
    if (t->table)
        return 0;
    t->table = __gulo_scratch((n + 1) * sizeof(ENTRY));
    t->size = (unsigned)n;
    t->filled = 0;
    return 1;
}

void hdestroy_r(struct hsearch_data *t)
{
    if (t->table)
        __gulo_scratch_free(t->table);
    t->table = NULL;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *t)
{
    ENTRY *all = (ENTRY *)t->table;
    *found = NULL;
    for (unsigned i = 0; i < t->filled; i++)
        if (strcmp(all[i].key, item.key) == 0) {
            *found = &all[i];
            return 1;
        }
    if (action == FIND || t->filled == t->size) {
        errno = action == FIND ? ESRCH : ENOMEM;
        return 0;
    }
    all[t->filled] = item;
    *found = &all[t->filled++];
    return 1;
}

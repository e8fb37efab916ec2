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

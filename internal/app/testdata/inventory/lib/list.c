#include <math.h>
#include <stdlib.h>
#include "list.h"

/* Another struct entry than that of src/main.c. */
struct entry {
    double weight;
    struct entry *parent;
};

static struct entry top = { 1.5, NULL };

struct item *list_add(struct item *head, const char *name, int count)
{
    struct item *n = malloc(sizeof *n);
    n->count = count;
    n->name = name;
    n->next = head;
    return n;
}

struct item *list_sort(struct item *head)
{
    struct item *sorted = NULL;
    while (head) {
        struct item *n = head, **at = &sorted;
        head = head->next;
        while (*at && (*at)->count < n->count)
            at = &(*at)->next;
        n->next = *at;
        *at = n;
    }
    return sorted;
}

int list_room(void) { return LIMIT; }

double list_mean(const struct item *head)
{
    double sum = 0, n = 0;
    for (; head; head = head->next, n++)
        sum += sqrt((double)head->count * head->count) * top.weight;
    return n ? sum / n : 0;
}

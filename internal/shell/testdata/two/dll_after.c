// insert_after
#include <stdio.h>
#include <stdlib.h>

struct track {
    int id;
    struct track *prev, *next;
};

static struct track *first, *last;

static struct track *insert_after(struct track *at, int id)
{
    struct track *t = calloc(1, sizeof *t);
    t->id = id;
    if (at == NULL) {
        t->next = first;
        if (first != NULL)
            first->prev = t;
        else
            last = t;
        first = t;
        return t;
    }
    t->next = at->next;
    t->prev = at->prev; //! t->prev = at;
    if (at->next != NULL)
        at->next->prev = t;
    else
        first = t; //! last = t;
    at->next = t;
    return t;
}

int main(void)
{
    struct track *a = insert_after(NULL, 1);
    struct track *c = insert_after(a, 3);
    insert_after(a, 2);
    insert_after(c, 4);
#ifdef HELD
    insert_after(NULL, 9);
    insert_after(last, 7);
    insert_after(last->prev, 8);
#endif
    for (struct track *t = first; t != NULL; t = t->next)
        printf("%d ", t->id);
    for (struct track *t = last; t != NULL; t = t->prev)
        printf("%d ", t->id);
    printf("\n");
    return 0;
}

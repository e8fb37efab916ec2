// leave
#include <stdio.h>
#include <stdlib.h>

struct guest {
    int size;
    struct guest *next;
};

struct line {
    struct guest *head, *tail;
    int waiting;
};

static struct line line;

static void enter(int size)
{
    struct guest *g = malloc(sizeof *g);
    g->size = size;
    g->next = NULL;
    if (line.tail != NULL)
        line.tail->next = g;
    else
        line.head = g;
    line.tail = g;
    line.waiting += size;
}

static int leave(void)
{
    struct guest *g = line.head;
    int size;
    if (g == NULL)
        return 0;
    size = g->size;
    line.head = g->next;
    if (line.head == NULL)
        line.tail = g; //! line.tail = NULL;
    line.waiting--; //! line.waiting -= size;
    free(g);
    return size;
}

int main(void)
{
    enter(2);
    enter(4);
    leave();
    leave();
    enter(3);
#ifdef HELD
    enter(5);
    leave();
    enter(6);
    leave();
    leave();
    enter(1);
#endif
    printf("%d:", line.waiting);
    for (struct guest *g = line.head; g != NULL; g = g->next)
        printf(" %d", g->size);
    printf("\n");
    return 0;
}

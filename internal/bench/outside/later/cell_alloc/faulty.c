#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* First fit in a row of cells. The blocks are a doubly linked list in order of address.
 *   get NAME CELLS / give NAME / map
 * Free neighbours are joined. */

struct block {
    int start, size;
    char owner;                 /* 0: free */
    struct block *prev, *next;
};

static struct block *first;

static struct block *new_block(int start, int size)
{
    struct block *b = malloc(sizeof *b);
    b->start = start;
    b->size = size;
    b->owner = 0;
    b->prev = b->next = NULL;
    return b;
}

/* leaves the first cells of b in b; the others become a free block behind it */
static void split(struct block *b, int cells)
{
    struct block *rest = new_block(b->start + cells, b->size - cells);

    rest->prev = b;
    rest->next = b->next;
    b->next = rest;
    b->size = cells;
}

/* b takes in the block behind it */
static void join(struct block *b)
{
    struct block *gone = b->next;

    b->size += gone->size;
    b->next = gone->next;
    if (b->next != NULL)
        b->next->prev = b;
    free(gone);
}

static struct block *get(char owner, int cells)
{
    struct block *b = first;

    while (b != NULL && (b->owner || b->size < cells))
        b = b->next;
    if (b == NULL)
        return NULL;
    if (b->size > cells)
        split(b, cells);
    b->owner = owner;
    return b;
}

static int give(char owner)
{
    struct block *b = first;

    while (b != NULL && b->owner != owner)
        b = b->next;
    if (b == NULL)
        return 0;
    b->owner = 0;
    if (b->next != NULL && !b->next->owner)
        join(b);
    if (b->prev != NULL && !b->prev->owner)
        join(b->prev);
    return 1;
}

static void map(void)
{
    int blocks = 0;

    for (struct block *b = first; b != NULL; b = b->next) {
        printf("%c%d-%d", blocks++ ? ' ' : '[', b->start, b->start + b->size - 1);
        if (b->owner)
            printf(":%c", b->owner);
    }
    printf("] %d blocks\n", blocks);
}

int main(void)
{
    char cmd[8], name;
    int cells;

    first = new_block(0, 32);
    while (scanf("%7s", cmd) == 1) {
        if (strcmp(cmd, "get") == 0 && scanf(" %c %d", &name, &cells) == 2) {
            struct block *b = cells > 0 ? get(name, cells) : NULL;
            if (b == NULL)
                printf("%c: no room for %d\n", name, cells);
            else
                printf("%c at %d\n", name, b->start);
        } else if (strcmp(cmd, "give") == 0 && scanf(" %c", &name) == 1) {
            if (!give(name))
                printf("%c has nothing\n", name);
        } else if (strcmp(cmd, "map") == 0) {
            map();
        } else {
            break;
        }
    }
    map();
    while (first->next != NULL)
        join(first);
    free(first);
    return 0;
}

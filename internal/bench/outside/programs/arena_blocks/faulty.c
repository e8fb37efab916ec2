/* first-fit allocator in one block of memory */
#include <stdio.h>
#include <stdlib.h>

#define ARENA 256
#define UNIT  16

struct block {
    int size;               /* of the whole block in bytes */
    int used;
    struct block *next;     /* by address */
};

static unsigned char *arena;
static struct block *first;

static void arena_init(void)
{
    arena = malloc(ARENA);
    first = (struct block *) arena;
    first->size = ARENA;
    first->used = 0;
    first->next = NULL;
}

static void *grab(int bytes)
{
    int need = ((int) sizeof(struct block) + bytes + UNIT - 1) / UNIT * UNIT;
    for (struct block *b = first; b != NULL; b = b->next) {
        if (b->used || b->size < need)
            continue;
        if (b->size - need >= 2 * UNIT) {
            struct block *rest = (struct block *) ((unsigned char *) b + need);
            rest->size = b->size - need;
            rest->used = 0;
            rest->next = b->next;
            b->next = rest;
            b->size = need;
        }
        b->used = 1;
        return b + 1;
    }
    return NULL;
}

static void release(void *p)
{
    struct block *b = (struct block *) p - 1;
    b->used = 0;
    b = first;
    while (b != NULL && b->next != NULL) {
        if (!b->used && !b->next->used) {
            b->size += b->next->size;
            b->next = b->next->next;
        }
        b = b->next;
    }
}

static void map(void)
{
    for (struct block *b = first; b != NULL; b = b->next)
        printf("[%s %d]", b->used ? "used" : "free", b->size);
    printf("\n");
}

int main(int argc, char **argv)
{
    void *slot[10] = {0};
    arena_init();
    for (int i = 1; i < argc; i++) {
        int n;
        if (sscanf(argv[i], "free%d", &n) == 1) {
            if (n >= 0 && n < 10 && slot[n]) {
                release(slot[n]);
                slot[n] = NULL;
            }
        } else if ((n = atoi(argv[i])) > 0) {
            int k = 0;
            while (k < 10 && slot[k])
                k++;
            if (k == 10)
                continue;
            slot[k] = grab(n);
            if (slot[k] == NULL)
                printf("no room for %d\n", n);
            else
                printf("slot %d\n", k);
        }
    }
    map();
    free(arena);
    return 0;
}

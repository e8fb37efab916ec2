// take give
#include <stdio.h>

#define ROOM 6
#define NONE (-1)

struct slot {
    char owner;
    int next;
};

static struct slot pool[ROOM];
static int unused, used = NONE;

static int take(char owner)
{
    int s = unused;
    if (s == NONE)
        return NONE;
    unused = pool[s].next;
    pool[s].owner = owner;
    pool[s].next = NONE; //! pool[s].next = used;
    used = s;
    return s;
}

static void give(int s)
{
    int *at = &used;
    while (*at != s)
        at = &pool[*at].next;
    *at = pool[s].next;
    pool[s].owner = '-';
    pool[s].next = used; //! pool[s].next = unused;
    unused = s;
}

int main(void)
{
    for (int i = 0; i < ROOM; i++)
        pool[i].next = i + 1 < ROOM ? i + 1 : NONE;
    take('a');
    take('b');
    int c = take('c');
    give(c);
#ifdef HELD
    take('d');
    take('e');
    give(0);
    take('f');
    take('g');
#endif
    for (int s = used; s != NONE; s = pool[s].next)
        printf("%d%c ", s, pool[s].owner);
    printf("/");
    for (int s = unused; s != NONE; s = pool[s].next)
        printf(" %d", s);
    printf("\n");
    return 0;
}

#include <stdio.h>
#include <string.h>

/* Entities live in a fixed pool and are named by handles: the slot in the low
   byte and the slot's generation above, so that a stale handle is noticed. */

#define POOL_SIZE 4
typedef unsigned Handle;

typedef struct {
    char name[10];
    int  hp;
    int  alive;
    unsigned generation;
} Entity;

static Entity pool[POOL_SIZE];

static Handle spawn(const char *name, int hp)
{
    for (unsigned i = 0; i < POOL_SIZE; i++)
    {
        Entity *e = &pool[i];
        if (e->alive)
            continue;
        size_t k = 0;
        while (name[k] != '\0' && k < sizeof e->name - 1)
        {
            e->name[k] = name[k];
            k++;
        }
        e->hp = hp;
        e->alive = 1;
        return e->generation << 8 | i;
    }
    return 0xffffffffu;
}

static Entity *get(Handle h)
{
    unsigned slot = h & 0xff;
    if (slot >= POOL_SIZE || !pool[slot].alive || pool[slot].generation != h >> 8)
        return NULL;
    return &pool[slot];
}

static int destroy(Handle h)
{
    Entity *e = get(h);
    if (e == NULL)
        return 0;
    e->alive = 0;
    return 1;
}

static void hit(Handle h, int damage)
{
    Entity *e = get(h);
    if (e == NULL) {
        printf("handle %u is stale\n", h);
        return;
    }
    e->hp -= damage;
    if (e->hp <= 0) {
        printf("%s dies\n", e->name);
        destroy(h);
    }
}

int main(void)
{
    Handle given[20];
    int n = 0, a, b;
    char op, name[16];

    while (scanf(" %c", &op) == 1) {
        if (op == 's' && scanf("%15s %d", name, &a) == 2 && n < 20) {
            given[n] = spawn(name, a);
            if (given[n] == 0xffffffffu)
                printf("no room for %s\n", name);
            else
                n++;
        } else if (op == 'h' && scanf("%d %d", &a, &b) == 2 && a >= 0 && a < n)
            hit(given[a], b);
    }
    for (int i = 0; i < POOL_SIZE; i++)
        if (pool[i].alive)
            printf("%d: %s %d hp, generation %u\n", i, pool[i].name, pool[i].hp, pool[i].generation);
    return 0;
}

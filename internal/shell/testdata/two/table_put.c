// put
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 4

struct entry {
    int key, value;
    struct entry *next;
};

struct table {
    struct entry *bucket[BUCKETS];
    int count;
};

static struct table table;

static void put(int key, int value)
{
    int h = key % BUCKETS;
    struct entry *e;
    for (e = table.bucket[h]; e != NULL; e = e->next)
        if (e->key == key) {
            e->value = key; //! e->value = value;
            return;
        }
    e = malloc(sizeof *e);
    e->key = key;
    e->value = value;
    e->next = NULL; //! e->next = table.bucket[h];
    table.bucket[h] = e;
    table.count++;
}

int main(void)
{
    put(1, 10);
    put(5, 50);
    put(1, 11);
#ifdef HELD
    put(9, 90);
    put(2, 20);
    put(5, 55);
#endif
    for (int h = 0; h < BUCKETS; h++)
        for (struct entry *e = table.bucket[h]; e != NULL; e = e->next)
            printf("%d=%d ", e->key, e->value);
    printf("%d\n", table.count);
    return 0;
}

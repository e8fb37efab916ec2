// grow 1
#include <stdio.h>
#include <stdlib.h>
struct entry { unsigned key; int value; struct entry *next; };
struct map { struct entry **bucket; unsigned size, count; };
static void grow(struct map *m)
{
    unsigned size = 2 * m->size;
    struct entry **bucket = calloc(size, sizeof *bucket);
    for (unsigned i = 0; i < m->size; i++) {
        struct entry *e = m->bucket[i];
        while (e) {
            struct entry *next = e->next;
            unsigned b = e->key % m->size; //! unsigned b = e->key % size;
            e->next = bucket[b];
            bucket[b] = e;
            e = next;
        }
    }
    free(m->bucket);
    m->bucket = bucket;
    m->size = size;
}
static void put(struct map *m, unsigned key, int value)
{
    if (m->count >= 2 * m->size)
        grow(m);
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->value = value;
    e->next = m->bucket[key % m->size];
    m->bucket[key % m->size] = e;
    m->count++;
}
static int get(const struct map *m, unsigned key)
{
    for (const struct entry *e = m->bucket[key % m->size]; e; e = e->next)
        if (e->key == key)
            return e->value;
    return -1;
}
int main(void)
{
    struct map m = { calloc(2, sizeof *m.bucket), 2, 0 };
#ifdef HELD
    unsigned n = 40;
#else
    unsigned n = 5;
#endif
    for (unsigned i = 0; i < n; i++)
        put(&m, 3 * i + 1, 10 * i);
    for (unsigned i = 0; i < 3 * n; i++)
        printf("%d ", get(&m, i));
    printf("\n");
    return 0;
}

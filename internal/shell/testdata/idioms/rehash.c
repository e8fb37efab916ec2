// dictRehash 1
#include <stdio.h>
#include <stdlib.h>

typedef struct dictEntry {
    int key;
    union {
        void *val;
        long s64;
        double d;
    } v;
    struct dictEntry *next;
} dictEntry;

typedef struct dictht {
    dictEntry **table;
    unsigned long size;
    unsigned long used;
} dictht;

typedef struct dict {
    dictht ht[2];
    long rehashidx; /* -1: no rehashing in progress */
} dict;

#define dictIsRehashing(d) ((d)->rehashidx != -1)

static void dictExpand(dict *d, unsigned long size) {
    d->ht[1].table = calloc(size, sizeof(dictEntry *));
    d->ht[1].size = size;
    d->ht[1].used = 0;
    d->rehashidx = 0;
}

/* Move n buckets from the old to the new table. */
static int dictRehash(dict *d, int n) {
    while (n-- && d->ht[0].used != 0) {
        dictEntry *de, *nextde;

        while (d->ht[0].table[d->rehashidx] == NULL)
            d->rehashidx++;
        de = d->ht[0].table[d->rehashidx];
        while (de) {
            unsigned long h;

            nextde = de->next;
            h = (unsigned long)de->key & (d->ht[1].size - 1);
            de->next = d->ht[1].table[h];
            d->ht[1].table[h] = de;
            d->ht[0].used--;
            d->ht[0].used++; //! d->ht[1].used++;
            de = nextde;
        }
        d->ht[0].table[d->rehashidx] = NULL;
        d->rehashidx++;
    }
    if (d->ht[0].used == 0) {
        free(d->ht[0].table);
        d->ht[0] = d->ht[1];
        d->ht[1] = (dictht){0};
        d->rehashidx = -1;
        return 0;
    }
    return 1;
}

static void dictAdd(dict *d, int key, long val) {
    dictht *ht = dictIsRehashing(d) ? &d->ht[1] : &d->ht[0];
    dictEntry *de = malloc(sizeof(*de));

    de->key = key;
    de->v.s64 = val;
    de->next = ht->table[key & (ht->size - 1)];
    ht->table[key & (ht->size - 1)] = de;
    ht->used++;
}

static void show(dict *d) {
    for (int t = 0; t < 2; t++) {
        printf("[%lu]", d->ht[t].used);
        for (unsigned long i = 0; i < d->ht[t].size; i++)
            for (dictEntry *de = d->ht[t].table[i]; de; de = de->next)
                printf(" %d=%ld", de->key, de->v.s64);
        printf(" ");
    }
    printf("%ld\n", d->rehashidx);
}

int main(void) {
    dict d = {{{calloc(2, sizeof(dictEntry *)), 2, 0}, {0}}, -1};
#ifdef HELD
    int keys[] = {4, 9, 2, 7, 12}, steps = 2;
#else
    int keys[] = {3, 6, 5}, steps = 1;
#endif
    for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        dictAdd(&d, keys[i], keys[i] * 10L);
    dictExpand(&d, 4);
    while (steps-- && dictRehash(&d, 1))
        show(&d);
    show(&d);
    return 0;
}

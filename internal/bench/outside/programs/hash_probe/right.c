/* open addressing with tombstones */
#include <stdio.h>
#include <stdlib.h>

#define EMPTY   -1
#define DELETED -2

typedef struct {
    int *slot;
    int cap, used, filled;   /* filled counts tombstones, too */
} IntSet;

static void init(IntSet *s, int cap) {
    s->slot = malloc(cap * sizeof(int));
    for (int i = 0; i < cap; i++) s->slot[i] = EMPTY;
    s->cap = cap;
    s->used = s->filled = 0;
}

static int find(const IntSet *s, int v) {
    int i = v % s->cap;
    while (s->slot[i] != EMPTY) {
        if (s->slot[i] == v) return i;
        i = (i + 1) % s->cap;
    }
    return -1;
}

static void put(IntSet *s, int v);

static void grow(IntSet *s) {
    IntSet bigger;
    init(&bigger, s->cap * 2);
    for (int i = 0; i < s->cap; i++)
        if (s->slot[i] >= 0)
            put(&bigger, s->slot[i]);
    free(s->slot);
    *s = bigger;
}

static void put(IntSet *s, int v) {
    if (find(s, v) >= 0) return;
    if ((s->filled + 1) * 4 > s->cap * 3) grow(s);
    int i = v % s->cap;
    while (s->slot[i] >= 0) i = (i + 1) % s->cap;
    if (s->slot[i] == EMPTY) s->filled++;
    s->slot[i] = v;
    s->used++;
}

static int del(IntSet *s, int v) {
    int i = find(s, v);
    if (i < 0) return 0;
    s->slot[i] = DELETED;
    s->used--;
    return 1;
}

static void dump(const IntSet *s) {
    printf("%d/%d:", s->used, s->cap);
    for (int i = 0; i < s->cap; i++) {
        if (s->slot[i] == EMPTY) printf(" .");
        else if (s->slot[i] == DELETED) printf(" x");
        else printf(" %d", s->slot[i]);
    }
    printf("\n");
}

int main(void) {
    IntSet s;
    char op;
    int v;
    init(&s, 4);
    while (scanf(" %c %d", &op, &v) == 2) {
        if (v < 0) continue;
        if (op == 'a') put(&s, v);
        else if (op == 'r') printf("remove %d: %d\n", v, del(&s, v));
        else if (op == 'q') printf("%d %s\n", v, find(&s, v) >= 0 ? "in" : "out");
        else dump(&s);
    }
    dump(&s);
    free(s.slot);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

// Moving average over the last N samples, kept in a ring.
// usage: ring_samples N sample sample ...   (a sample "x" means: drop the oldest)

typedef struct {
    int *slot;
    int  capacity;
    int  first;     // oldest sample
    int  count;
    long sum;
} Ring;

Ring *ring_create(int capacity)
{
    Ring *r = malloc(sizeof *r);
    r->slot = malloc(capacity * sizeof *r->slot);
    r->capacity = capacity;
    r->first = 0;
    r->count = 0;
    r->sum = 0;
    return r;
}

int ring_drop(Ring *r)
{
    if (r->count == 0)
        return 0;
    r->sum -= r->slot[r->first];
    r->first = (r->first + 1) % r->capacity;
    r->count--;
    return 1;
}

void ring_push(Ring *r, int value)
{
    r->slot[(r->first + r->count) % r->capacity] = value;
    r->sum += value;
    r->count++;
}

int ring_max(const Ring *r)
{
    int best = r->slot[r->first];
    for (int i = 1; i < r->count; i++) {
        int v = r->slot[(r->first + i) % r->capacity];
        if (v > best)
            best = v;
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc < 2 || atoi(argv[1]) < 1) {
        printf("usage: N samples\n");
        return 2;
    }
    Ring *r = ring_create(atoi(argv[1]));
    for (int i = 2; i < argc; i++) {
        if (argv[i][0] == 'x') {
            if (!ring_drop(r))
                printf("nothing to drop\n");
        } else {
            ring_push(r, atoi(argv[i]));
        }
        if (r->count > 0)
            printf("%d in the window, mean %.2f, largest %d\n", r->count, (double)r->sum / r->count, ring_max(r));
    }
    printf("window:");
    for (int i = 0; i < r->count; i++)
        printf(" %d", r->slot[(r->first + i) % r->capacity]);
    printf("\n");
    free(r->slot);
    free(r);
    return 0;
}

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define STOPS 12

struct edge {
    int to, minutes;
    struct edge *next;
};

struct entry {
    int stop, cost;
};

static struct edge *adjacent[STOPS];
static struct entry *heap;
static int heap_size, heap_cap;

static void add_edge(int from, int to, int minutes)
{
    struct edge *e = malloc(sizeof *e);

    e->to = to;
    e->minutes = minutes;
    e->next = adjacent[from];
    adjacent[from] = e;
}

static void heap_push(int stop, int cost)
{
    int i;

    if (heap_size == heap_cap) {
        heap_cap = heap_cap ? 2 * heap_cap : 4;
        heap = realloc(heap, heap_cap * sizeof *heap);
    }
    i = heap_size++;
    while (i > 0 && heap[(i - 1) / 2].cost > cost) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i].stop = stop;
    heap[i].cost = cost;
}

static struct entry heap_pop(void)
{
    struct entry top = heap[0], last = heap[--heap_size];
    int i = 0, child;

    while ((child = 2 * i + 1) < heap_size) {
        if (child + 1 < heap_size && heap[child + 1].cost < heap[child].cost)
            child++;
        if (last.cost <= heap[child].cost)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

static void shortest(int from, int dist[], int via[])
{
    int i;

    for (i = 0; i < STOPS; i++) {
        dist[i] = INT_MAX;
        via[i] = -1;
    }
    dist[from] = 0;
    heap_push(from, 0);
    while (heap_size > 0) {
        struct entry e = heap_pop();
        struct edge *a;

        if (e.cost > dist[e.stop])
            continue;
        for (a = adjacent[e.stop]; a; a = a->next) {
            int cost = e.cost + a->minutes;
            if (cost < dist[a->to]) {
                dist[a->to] = cost;
                via[a->to] = e.stop;
                heap_push(a->to, cost);
            }
        }
    }
}

static void print_way(const int via[], int stop)
{
    if (via[stop] >= 0)
        print_way(via, via[stop]);
    printf("%c", 'A' + stop);
}

/* FROM TO then edges as AB7 (both ways) */
int main(int argc, char **argv)
{
    int i, dist[STOPS], via[STOPS], from, to;

    if (argc < 3)
        return 2;
    from = argv[1][0] - 'A';
    to = argv[2][0] - 'A';
    for (i = 3; i < argc; i++) {
        int a = argv[i][0] - 'A', b = argv[i][1] - 'A', m = atoi(argv[i] + 2);
        add_edge(a, b, m);
        add_edge(b, a, m);
    }
    shortest(from, dist, via);
    if (dist[to] == INT_MAX)
        printf("no way\n");
    else {
        print_way(via, to);
        printf(" %d\n", dist[to]);
    }
    for (i = 0; i < STOPS; i++)
        while (adjacent[i]) {
            struct edge *e = adjacent[i];
            adjacent[i] = e->next;
            free(e);
        }
    free(heap);
    return 0;
}

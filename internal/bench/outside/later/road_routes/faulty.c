#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Shortest roads from the first town (Dijkstra with a binary heap).
// Input: roads "a b 5", both ways; towns are small letters. Then all towns with distance and way.

struct road {
    int to, length;
    struct road *next;
};

struct entry {
    int town, dist;
};

static struct road *roads[26];
static struct entry heap[400];
static int heap_size;
static int dist[26], from[26], known[26];

static int before(struct entry a, struct entry b)
{
    return a.dist < b.dist || (a.dist == b.dist && a.town < b.town);
}

static void swap(struct entry *a, struct entry *b)
{
    struct entry t = *a;
    *a = *b;
    *b = t;
}

static void push(int town, int d)
{
    int i = heap_size++;
    heap[i].town = town;
    heap[i].dist = d;
    while (i > 0 && before(heap[i], heap[(i - 1) / 2])) {
        swap(&heap[i], &heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
}

static struct entry pop(void)
{
    struct entry top = heap[0];
    int i = 0, child;

    heap[0] = heap[--heap_size];
    while ((child = 2 * i + 1) < heap_size) {
        if (!before(heap[child], heap[i]))
            break;
        swap(&heap[child], &heap[i]);
        i = child;
    }
    return top;
}

static void add_road(int a, int b, int length)
{
    struct road *r = malloc(sizeof *r);
    r->to = b;
    r->length = length;
    r->next = roads[a];
    roads[a] = r;
    known[a] = known[b] = 1;
}

/* how many towns were settled, and in what order */
static void search(int start)
{
    int done[26] = {0};

    for (int t = 0; t < 26; t++)
        dist[t] = -1;
    dist[start] = 0;
    from[start] = -1;
    push(start, 0);
    printf("order:");
    while (heap_size > 0) {
        struct entry e = pop();
        if (done[e.town])
            continue;
        done[e.town] = 1;
        printf(" %c", 'a' + e.town);
        for (struct road *r = roads[e.town]; r != NULL; r = r->next) {
            int d = dist[e.town] + r->length;
            if (!done[r->to] && (dist[r->to] < 0 || d < dist[r->to])) {
                dist[r->to] = d;
                from[r->to] = e.town;
                push(r->to, d);
            }
        }
    }
    printf("\n");
}

static void print_way(int t)
{
    if (from[t] >= 0)
        print_way(from[t]);
    printf(" %c", 'a' + t);
}

int main(void)
{
    char a, b;
    int length, start = -1;

    while (scanf(" %c %c %d", &a, &b, &length) == 3) {
        if (a < 'a' || a > 'z' || b < 'a' || b > 'z' || length < 0) {
            printf("bad road\n");
            return 1;
        }
        if (start < 0)
            start = a - 'a';
        add_road(a - 'a', b - 'a', length);
        add_road(b - 'a', a - 'a', length);
    }
    if (start < 0)
        return 0;
    search(start);
    for (int t = 0; t < 26; t++) {
        if (known[t] && dist[t] >= 0) {
            printf("%c %3d:", 'a' + t, dist[t]);
            print_way(t);
            printf("\n");
        } else if (known[t]) {
            printf("%c: no way\n", 'a' + t);
        }
        while (roads[t] != NULL) {
            struct road *r = roads[t];
            roads[t] = r->next;
            free(r);
        }
    }
    return 0;
}

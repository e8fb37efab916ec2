#include <stdio.h>
#include <stdlib.h>

#define MAXV 16

typedef struct edge {
    int to;
    struct edge *next;
} edge;

static edge *adj[MAXV];
static int dist[MAXV];
static int nv;

static void add_edge(int a, int b)
{
    edge *e = malloc(sizeof(edge));
    e->to = b;
    e->next = adj[a];
    adj[a] = e;
}

static int bfs(int from, int to)
{
    int queue[MAXV], head = 0, tail = 0;

    for (int i = 0; i < nv; i++)
        dist[i] = -1;
    dist[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        int v = queue[head++];
        if (v == to)
            return dist[v];
        for (edge *e = adj[v]; e; e = e->next) {
            if (dist[e->to] < 0) {
                dist[e->to] = dist[v] + 1;
                queue[tail++] = e->to;
            }
        }
    }
    return -1;
}

static void setup(int n)
{
    nv = n;
    for (int i = 0; i < MAXV; i++) {
        adj[i] = NULL;
        dist[i] = -1;
    }
}

static int valid(int v)
{
    return v >= 0 && v < nv;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    setup(atoi(argv[1]));
    if (nv < 1 || nv > MAXV) {
        printf("bad size\n");
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        int a, b;
        char sep;
        if (sscanf(argv[i], "%d%c%d", &a, &sep, &b) != 3 || !valid(a) || !valid(b))
            continue;
        if (sep == '-') {
            add_edge(a, b);
            add_edge(b, a);
        } else {
            int d = bfs(a, b);
            if (d < 0)
                printf("%d to %d: no way\n", a, b);
            else
                printf("%d to %d: %d hops\n", a, b, d);
        }
    }
    for (int i = 0; i < nv; i++)
        while (adj[i]) {
            edge *e = adj[i];
            adj[i] = e->next;
            free(e);
        }
    return 0;
}

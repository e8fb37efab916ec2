// topo_sort 1
#include <stdio.h>
#include <stdlib.h>

struct edge {
    int to;
    struct edge *next;
};

struct graph {
    int n;
    struct edge **adj;
    int *indegree;
};

static struct graph *graph_create(int n)
{
    struct graph *g = malloc(sizeof *g);
    g->n = n;
    g->adj = calloc(n, sizeof *g->adj);
    g->indegree = calloc(n, sizeof *g->indegree);
    return g;
}

static void graph_edge(struct graph *g, int from, int to)
{
    struct edge *e = malloc(sizeof *e);
    e->to = to;
    e->next = g->adj[from];
    g->adj[from] = e;
    g->indegree[to]++;
}

static int topo_sort(struct graph *g, int *order)
{
    int head = 0, tail = 0;
    for (int v = 0; v < g->n; v++)
        if (g->indegree[v] == 0)
            order[tail++] = v;
    while (head < tail) {
        int v = order[head++];
        for (struct edge *e = g->adj[v]; e != NULL; e = e->next)
            if (--g->indegree[v] == 0) //! if (--g->indegree[e->to] == 0)
                order[tail++] = e->to;
    }
    return tail;
}

int main(void)
{
#ifdef HELD
    static const int edges[][2] = {{5, 1}, {1, 4}, {4, 0}, {5, 0}, {3, 4}, {2, 3}};
    struct graph *g = graph_create(6);
#else
    static const int edges[][2] = {{3, 1}, {1, 0}, {3, 0}, {2, 0}};
    struct graph *g = graph_create(4);
#endif
    int order[8];
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        graph_edge(g, edges[i][0], edges[i][1]);
    int n = topo_sort(g, order);
    for (int i = 0; i < n; i++)
        printf("%d ", order[i]);
    printf("(%d)\n", n);
    return 0;
}

// connect 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct edge { int to; struct edge *next; };
struct vertex { struct edge *out; int degree; };
static void connect(struct vertex *g, int a, int b)
{
    struct edge *e = malloc(sizeof *e);
    e->to = b;
    e->next = g[b].out; //! e->next = g[a].out;
    g[a].out = e;
    g[a].degree++;
}
static void run(const int *a, int n)
{
    struct vertex *g = calloc(4, sizeof *g);
    for (int i = 0; i + 1 < n; i++)
        connect(g, a[0], a[i + 1]);
    for (int i = 0; i < 4; i++) {
        for (struct edge *e = g[i].out; e; e = e->next)
            printf("%d-%d ", i, e->to);
        printf("(%d) ", g[i].degree);
    }
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {2, 3, 1, 0, 2};
#else
    static const int a[] = {0, 1, 2};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bus stops and the connections between them.  Input:
 *
 *   A-B          a connection, both ways
 *   A?B          fewest rides from A to B, and the way
 *   A*           all stops that can be reached from A
 *
 * Stops are capital letters; of several ways of one length the one is given that goes over
 * stops earlier in the alphabet. */

#define STOPS 26

struct link {
    int to;
    struct link *next;
};

static struct link *links[STOPS];

/* keeps the links of a stop in the order of the alphabet, each once */
static void connect(int from, int to)
{
    struct link **p = &links[from], *l;
    while (*p && (*p)->to < to)
        p = &(*p)->next;
    if (*p && (*p)->to == to)
        return;
    l = malloc(sizeof *l);
    l->to = to;
    l->next = *p;
    *p = l;
}

/* dist[s] becomes the number of rides from s to goal, -1 if there is none */
static void search(int goal, int dist[])
{
    int queue[STOPS], head = 0, tail = 0;
    for (int s = 0; s < STOPS; s++)
        dist[s] = -1;
    dist[goal] = 0;
    queue[tail++] = goal;
    while (head < tail) {
        int s = queue[head++];
        for (struct link *l = links[s]; l; l = l->next)
            if (dist[l->to] < 0) {
                dist[l->to] = dist[s] + 1;
                queue[tail++] = l->to;
            }
    }
}

static void way(int from, int to)
{
    int dist[STOPS];
    search(to, dist);
    if (dist[from] < 0) {
        printf("%c to %c: no way\n", from + 'A', to + 'A');
        return;
    }
    printf("%c to %c: %d:", from + 'A', to + 'A', dist[from]);
    while (from != to) {
        struct link *l = links[from];
        putchar(' ');
        putchar(from + 'A');
        while (dist[l->to] != dist[from] - 1)
            l = l->next;
        from = l->to;
    }
    printf(" %c\n", to + 'A');
}

static void reach(int from)
{
    int dist[STOPS], n = 0;
    search(from, dist);
    printf("from %c:", from + 'A');
    for (int s = 0; s < STOPS; s++)
        if (dist[s] > 0) {
            printf(" %c", s + 'A');
            n++;
        }
    printf(" (%d)\n", n);
}

int main(void)
{
    char w[10];
    while (scanf("%9s", w) == 1) {
        if (w[1] == '-') {
            connect(w[0] - 'A', w[2] - 'A');
            connect(w[2] - 'A', w[0] - 'A');
        } else if (w[1] == '?') {
            way(w[0] - 'A', w[2] - 'A');
        } else if (w[1] == '*') {
            reach(w[0] - 'A');
        }
    }
    for (int s = 0; s < STOPS; s++)
        while (links[s]) {
            struct link *l = links[s];
            links[s] = l->next;
            free(l);
        }
    return 0;
}

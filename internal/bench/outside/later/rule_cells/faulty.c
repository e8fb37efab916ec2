#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One-dimensional cellular automata.
   usage: rule_cells RULE STEPS START [wrap]     START is like ...#...
   RULE is the number of Wolfram's. Stops when nothing changes. */

#define WIDTH 64

typedef struct {
    char cell[WIDTH + 1];
    int width;
    int wrap;
} World;

static int at(const World *w, int i)
{
    if (w->wrap)
        i = (i + w->width) % w->width;
    else if (i < 0 || i >= w->width)
        return 0;
    return w->cell[i] == '#';
}

static World step(const World *w, unsigned rule)
{
    World next = *w;
    for (int i = 0; i < w->width; i++) {
        unsigned around = at(&next, i - 1) << 2 | at(&next, i) << 1 | at(&next, i + 1);
        next.cell[i] = rule >> around & 1 ? '#' : '.';
    }
    return next;
}

static int population(const World *w)
{
    int n = 0;
    for (int i = 0; i < w->width; i++)
        n += at(w, i);
    return n;
}

int main(int argc, char **argv)
{
    World now = { "", 0, 0 };
    int rule, steps, most = 0;

    if (argc < 4) {
        printf("usage: rule steps start [wrap]\n");
        return 2;
    }
    rule = atoi(argv[1]);
    steps = atoi(argv[2]);
    if (rule < 0 || rule > 255 || strlen(argv[3]) > WIDTH) {
        printf("no such rule, or too wide\n");
        return 2;
    }
    strcpy(now.cell, argv[3]);
    now.width = (int)strlen(argv[3]);
    now.wrap = argc > 4 && strcmp(argv[4], "wrap") == 0;
    printf("%s %d\n", now.cell, population(&now));
    for (int t = 1; t <= steps; t++) {
        World next = step(&now, rule);
        if (strcmp(next.cell, now.cell) == 0) {
            printf("still after %d steps\n", t - 1);
            break;
        }
        now = next;
        int n = population(&now);
        printf("%s %d\n", now.cell, n);
        if (n > most)
            most = n;
    }
    printf("at most %d\n", most);
    return 0;
}

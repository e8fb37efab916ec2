#include <stdio.h>
#include <stdlib.h>

/* A sparse matrix: for every row a list of cells by their columns.
 *
 *   s R C V   set (0 takes the cell away)      a R C V   add to a cell
 *   t         transpose                        r R       print a row
 *   m         multiply with the vector 1 2 3 ... N and print that
 * Rows and columns are 1..N; N is the first number of the input. */

#define MAXN 20

typedef struct cell {
    int col;
    int value;
    struct cell *next;
} cell;

typedef struct {
    int n;
    cell *row[MAXN + 1];
} grid;

/* the link to the cell, or to where it would have to go */
static cell **place(grid *g, int r, int c)
{
    cell **p = &g->row[r];
    while ((*p)->col < c)
        p = &(*p)->next;
    return p;
}

static int get(grid *g, int r, int c)
{
    cell *x = *place(g, r, c);
    return x != NULL && x->col == c ? x->value : 0;
}

static void set(grid *g, int r, int c, int v)
{
    cell **p = place(g, r, c), *x = *p;

    if (x != NULL && x->col == c) {
        if (v != 0) {
            x->value = v;
        } else {
            *p = x->next;
            free(x);
        }
        return;
    }
    if (v == 0)
        return;
    cell *fresh = malloc(sizeof *fresh);
    fresh->col = c;
    fresh->value = v;
    fresh->next = x;
    *p = fresh;
}

static void transpose(grid *g)
{
    grid t = {g->n, {NULL}};
    for (int r = 1; r <= g->n; r++)
        while (g->row[r] != NULL) {
            cell *x = g->row[r];
            g->row[r] = x->next;
            set(&t, x->col, r, x->value);
            free(x);
        }
    *g = t;
}

static void print_row(const grid *g, int r)
{
    printf("%d:", r);
    for (const cell *x = g->row[r]; x != NULL; x = x->next)
        printf(" %d@%d", x->value, x->col);
    printf("\n");
}

static void multiply(const grid *g)
{
    for (int r = 1; r <= g->n; r++) {
        int sum = 0;
        for (const cell *x = g->row[r]; x != NULL; x = x->next)
            sum += x->value * x->col;
        printf("%d%c", sum, r < g->n ? ' ' : '\n');
    }
}

int main(void)
{
    grid g = {0, {NULL}};
    char cmd[4];
    int r, c, v;

    if (scanf("%d", &g.n) != 1 || g.n < 1 || g.n > MAXN)
        return 1;
    while (scanf("%3s", cmd) == 1) {
        if (cmd[0] == 't') {
            transpose(&g);
        } else if (cmd[0] == 'm') {
            multiply(&g);
        } else if (cmd[0] == 'r') {
            if (scanf("%d", &r) == 1 && r >= 1 && r <= g.n)
                print_row(&g, r);
        } else if (scanf("%d %d %d", &r, &c, &v) == 3 && r >= 1 && r <= g.n && c >= 1 && c <= g.n) {
            set(&g, r, c, cmd[0] == 's' ? v : v + get(&g, r, c));
        }
    }
    for (r = 1; r <= g.n; r++) {
        print_row(&g, r);
        while (g.row[r] != NULL)
            set(&g, r, g.row[r]->col, 0);
    }
    return 0;
}

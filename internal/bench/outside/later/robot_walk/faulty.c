#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A robot on a table of 6 x 6. The program of the robot is the argument:
 *   L R turn, F a step forward, 3F three steps, 2[LF] repeats, D drops a mark.
 * A step over the edge is not made. */

#define SIDE 6

typedef struct {
    int x, y;
    int dir;            /* 0 north, 1 east, 2 south, 3 west */
    int steps, bumps;
} Robot;

static char table[SIDE][SIDE];
static const int dx[4] = { 0, 1, 0, -1 };
static const int dy[4] = { 1, 0, -1, 0 };

static Robot turned(Robot r, int quarter)
{
    r.dir = (r.dir + quarter) % 4;
    return r;
}

static Robot forward(Robot r)
{
    int x = r.x + dx[r.dir & 3], y = r.y + dy[r.dir & 3];

    if (x < 0 || x >= SIDE || y < 0 || y >= SIDE) {
        r.bumps++;
        return r;
    }
    r.x = x;
    r.y = y;
    r.steps++;
    return r;
}

/* runs the program up to its end or to a closing bracket, and says where that is */
static const char *run(Robot *r, const char *s, int times)
{
    const char *start = s;

    do {
        s = start;
        while (*s != '\0' && *s != ']') {
            int n = 1;
            if (*s >= '0' && *s <= '9')
                n = (int)strtol(s, (char **)&s, 10);
            if (*s == '[') {
                s = run(r, s + 1, n);
                if (*s == ']')
                    s++;
                continue;
            }
            if (*s == '\0')
                break;
            for (; n > 0; n--)
                switch (*s) {
                case 'L': *r = turned(*r, -1); break;
                case 'R': *r = turned(*r, 1); break;
                case 'F': *r = forward(*r); break;
                case 'D': table[r->y][r->x] = '*'; break;
                }
            s++;
        }
    } while (--times > 0);
    return s;
}

static const char *name(int dir)
{
    switch (dir) {
    case 0: return "north";
    case 1: return "east";
    case 2: return "south";
    default: return "west";
    }
}

int main(int argc, char **argv)
{
    Robot r = { 2, 2, 0, 0, 0 };

    memset(table, '.', sizeof table);
    for (int i = 1; i < argc; i++) {
        run(&r, argv[i], 1);
        printf("%d,%d %s, %d steps", r.x, r.y, name(r.dir), r.steps);
        if (r.bumps > 0)
            printf(", %d bumps", r.bumps);
        printf("\n");
    }
    table[r.y][r.x] = 'R';
    for (int y = SIDE - 1; y >= 0; y--)
        printf("%.*s\n", SIDE, table[y]);
    return 0;
}

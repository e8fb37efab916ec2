#include <stdio.h>
#include <string.h>
#include <stdlib.h>

/* The shortest way through a maze. Each argument is a row: '#' wall, '.' floor, S and E.
 * Prints the number of steps and the maze with the way marked by *. */

#define MAX 16

typedef struct Point { int row, col; } Point;

static char maze[MAX][MAX + 1];
static int rows, cols;
static int dist[MAX][MAX];

static int open_at(Point p)
{
    if (p.row < 0 || p.row >= rows || p.col < 0 || p.col >= cols)
        return 0;
    return maze[p.row][p.col] != '#';
}

static Point beside(Point p, int dir)
{
    static const int dr[] = { -1, 0, 1, 0 };
    static const int dc[] = { 0, 1, 0, -1 };
    p.row += dr[dir];
    p.col += dc[dir];
    return p;
}

static int find(char what, Point *where)
{
    for (where->row = 0; where->row < rows; where->row++)
        for (where->col = 0; where->col < cols; where->col++)
            if (maze[where->row][where->col] == what)
                return 1;
    return 0;
}

/* distances from p; -1 where one cannot come */
static void flood(Point p)
{
    Point queue[MAX * MAX];
    int head = 0, tail = 0;

    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dist[r][c] = -1;
    dist[p.row][p.col] = 0;
    queue[tail++] = p;
    while (head < tail) {
        p = queue[head++];
        for (int d = 0; d < 4; d++) {
            Point q = beside(p, d);
            if (!open_at(q) || dist[q.row][q.col] >= 0)
                continue;
            dist[q.row][q.col] = dist[p.row][p.col] + 1;
            queue[tail++] = q;
        }
    }
}

/* from p down to distance 0; up is tried first, then right, down, left */
static void mark_way(Point p)
{
    while (dist[p.row][p.col] > 0) {
        for (int d = 0; d < 4; d++) {
            Point q = beside(p, d);
            if (open_at(q) && dist[q.row][q.col] == dist[p.row][p.col] - 1) {
                p = q;
            }
        }
        if (maze[p.row][p.col] == '.')
            maze[p.row][p.col] = '*';
    }
}

int main(int argc, char **argv)
{
    Point start, end;

    rows = argc - 1;
    if (rows == 0 || rows > MAX) {
        printf("give me rows\n");
        return 2;
    }
    cols = (int)strlen(argv[1]);
    for (int r = 0; r < rows; r++) {
        if ((int)strlen(argv[r + 1]) != cols || cols > MAX) {
            printf("row %d is not like the first\n", r + 1);
            return 2;
        }
        strcpy(maze[r], argv[r + 1]);
    }
    if (!find('S', &start) || !find('E', &end)) {
        printf("no start or no end\n");
        return 2;
    }
    flood(end);
    if (dist[start.row][start.col] < 0) {
        printf("no way\n");
        return 1;
    }
    mark_way(start);
    printf("%d steps\n", dist[start.row][start.col]);
    for (int r = 0; r < rows; r++)
        printf("%s\n", maze[r]);
    return 0;
}

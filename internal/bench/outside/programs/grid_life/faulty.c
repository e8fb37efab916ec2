/* Conway's game of life on a torus */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define H 6
#define W 8

typedef int Board[H][W];

static int neighbours(Board b, int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            n += b[(y + dy + H) % H][(x + dx + H) % H];
        }
    return n;
}

static int evolve(Board b)
{
    Board next;
    int alive = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = neighbours(b, y, x);
            if (b[y][x])
                next[y][x] = n == 2 || n == 3;
            else
                next[y][x] = n == 3;
            alive += next[y][x];
        }
    memcpy(b, next, sizeof(Board));
    return alive;
}

static void print(Board b)
{
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++)
            putchar(b[y][x] ? 'O' : '.');
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    Board board = {{0}};
    int turns = argc > 1 ? atoi(argv[1]) : 1;
    if (turns > 20)
        turns = 20;
    for (int i = 2; i < argc; i++) {
        int x, y;
        if (sscanf(argv[i], "%d,%d", &x, &y) == 2 && x >= 0 && x < W && y >= 0 && y < H)
            board[y][x] = 1;
    }
    for (int t = 0; t < turns; t++)
        printf("turn %d: %d alive\n", t + 1, evolve(board));
    print(board);
    return 0;
}

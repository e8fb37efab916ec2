#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W 6
#define H 8

/* Falling blocks: each move drops a flat piece "COLUMN:WIDTH"; full rows vanish. */

static char grid[H][W + 1];
static int score;

static void clear(void)
{
    int r;

    for (r = 0; r < H; r++) {
        memset(grid[r], '.', W);
        grid[r][W] = '\0';
    }
}

static int full(int r)
{
    return strchr(grid[r], '.') == NULL;
}

static void remove_row(int r)
{
    for (; r > 0; r--)
        memcpy(grid[r], grid[r - 1], W);
    memset(grid[0], '.', W);
}

static int remove_full(void)
{
    int r, n = 0;

    for (r = H - 1; r >= 0; r--) {
        if (full(r)) {
            remove_row(r);
            n++;
        }
    }
    return n;
}

static int fits(int row, int col, int height, int width)
{
    int r, c;

    if (row + height > H)
        return 0;
    for (r = row; r < row + height; r++)
        for (c = col; c < col + width; c++)
            if (grid[r][c] != '.')
                return 0;
    return 1;
}

/* 0 if there is no room for the piece */
static int drop(int col, int height, int width, char mark)
{
    int row = 0, r, c, n;

    if (!fits(0, col, height, width))
        return 0;
    while (fits(row + 1, col, height, width))
        row++;
    for (r = row; r < row + height; r++)
        for (c = col; c < col + width; c++)
            grid[r][c] = mark;
    n = remove_full();
    score += n * n * 10;
    return 1;
}

static void print(void)
{
    int r;

    for (r = 0; r < H; r++)
        if (strspn(grid[r], ".") < W)
            printf("%d %s\n", r, grid[r]);
    printf("score %d\n", score);
}

/* each argument is COLUMN,HEIGHTxWIDTH */
int main(int argc, char **argv)
{
    int i, col, height, width;

    clear();
    for (i = 1; i < argc; i++) {
        if (sscanf(argv[i], "%d,%dx%d", &col, &height, &width) != 3
            || col < 0 || width < 1 || height < 1 || col + width > W) {
            printf("bad move %s\n", argv[i]);
            continue;
        }
        if (!drop(col, height, width, 'a' + (i - 1) % 26)) {
            printf("game over at %d\n", i);
            break;
        }
    }
    print();
    return 0;
}

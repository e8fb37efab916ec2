#include <stdio.h>
#include <string.h>

#define MAXR 10
#define MAXC 10

static char grid[MAXR][MAXC + 1];
static int rows, cols;

/* paints the region of (r, c) and returns its size */
static int flood(int r, int c, char from, char to)
{
    if (r < 0 || c < 0 || r >= rows || c >= cols)
        return 0;
    if (grid[r][c] != from)
        return 0;
    grid[r][c] = to;
    return 1 + flood(r - 1, c, from, to) + flood(r + 1, c, from, to)
             + flood(r, c - 1, from, to) + flood(r, c + 1, from, to);
}

static int lakes(int *largest)
{
    int n = 0;
    *largest = 0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            if (grid[r][c] == '~') {
                int size = flood(r, c, '~', 'a' + n % 26);
                n++;
                if (size > *largest)
                    *largest = size;
            }
        }
    }
    return n;
}

int main(void)
{
    char buf[64];
    int largest, n;

    while (rows < MAXR && scanf("%63s", buf) == 1) {
        if (rows == 0) {
            cols = strlen(buf);
            if (cols > MAXC) {
                printf("too wide\n");
                return 1;
            }
        }
        if ((int) strlen(buf) != cols) {
            printf("row %d is %d wide, not %d\n", rows + 1, (int) strlen(buf), cols);
            return 1;
        }
        strcpy(grid[rows++], buf);
    }
    n = lakes(&largest);
    printf("%d lakes, the largest of %d\n", n, largest);
    for (int r = 0; r < rows; r++)
        printf("%s\n", grid[r]);
    return 0;
}

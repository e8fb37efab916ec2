#include <stdio.h>

/* Looks at a 4x4 Sudoku: is it consistent, complete, what may stand in the empty cells,
   and which cells have only one possibility (they are filled in, as long as there are such). */

#define N 4
#define BOX 2

int cell[N][N];

int mask_of_row(int r)
{
    int c, m = 0;
    for (c = 0; c < N; c++)
        m |= 1 << cell[r][c];
    return m & ~1;
}

int mask_of_column(int c)
{
    int r, m = 0;
    for (r = 0; r < N; r++)
        m |= 1 << cell[r][c];
    return m & ~1;
}

int mask_of_box(int r, int c)
{
    int i, j, m = 0;
    r = r / BOX * BOX;
    c = c / BOX * BOX;
    for (i = 0; i < BOX; i++)
        for (j = 0; j < BOX; j++)
            m |= 1 << cell[r + i][c + j];
    return m & ~1;
}

/* the numbers that may stand there, as bits 1 to N */
int choices(int r, int c)
{
    int all = (1 << (N + 1)) - 2;
    return all & ~(mask_of_row(r) | mask_of_column(c) | mask_of_box(r, c));
}

int bits(int m)
{
    int n = 0;
    while (m)
    {
        n += m & 1;
        m >>= 1;
    }
    return n;
}

int conflicts(void)
{
    int r, c, v, bad = 0;
    for (r = 0; r < N; r++)
        for (c = 0; c < N; c++)
            if ((v = cell[r][c]) != 0)
            {
                cell[r][c] = 0;
                if (!(choices(r, c) & (1 << v)))
                    bad++;
                cell[r][c] = v;
            }
    return bad;
}

int main(void)
{
    int r, c, v, changed, empty = 0;

    for (r = 0; r < N; r++)
        for (c = 0; c < N; c++)
        {
            if (scanf("%d", &cell[r][c]) != 1 || cell[r][c] < 0 || cell[r][c] > N)
            {
                printf("bad input\n");
                return 2;
            }
        }
    if (conflicts() > 0)
    {
        printf("%d cells in conflict\n", conflicts());
        return 1;
    }
    do
    {
        changed = 0;
        for (r = 0; r < N; r++)
            for (c = 0; c < N; c++)
                if (cell[r][c] == 0 && bits(choices(r, c)) == 1)
                {
                    for (v = 1; !(choices(r, c) & (1 << v)); v++)
                        ;
                    cell[r][c] = v;
                    changed = 1;
                }
    } while (changed);
    for (r = 0; r < N; r++)
    {
        for (c = 0; c < N; c++)
        {
            if (cell[r][c])
                printf(" %d", cell[r][c]);
            else
                printf(" .");
            empty += cell[r][c] == 0;
        }
        printf("\n");
    }
    printf("%d empty\n", empty);
    return 0;
}

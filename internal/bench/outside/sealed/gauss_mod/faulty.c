#include <stdio.h>
#include <stdlib.h>

#define MAXN 8

/* Solves linear equations modulo a prime. */

static long mod(long a, long p)
{
    a %= p;
    return a < 0 ? a + p : a;
}

static long inverse(long a, long p)
{
    long r = 1, e = p - 2;

    a = mod(a, p);
    while (e > 0) {
        if (e & 1)
            r = r * a % p;
        a = a * a % p;
        e >>= 1;
    }
    return r;
}

static void swap_rows(long *a, long *b, int n)
{
    int i;

    for (i = 0; i < n; i++) {
        long t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

/* returns the rank of the coefficients, or -1 if there is no solution */
static int eliminate(long m[MAXN][MAXN + 1], int rows, int cols, long p)
{
    int rank = 0, c, r, k;

    for (c = 0; c < cols && rank < rows; c++) {
        int pivot = rank;
        long inv;

        while (pivot < rows && m[pivot][c] == 0)
            pivot++;
        if (pivot == rows)
            continue;
        if (pivot != rank)
            swap_rows(m[pivot], m[rank], cols + 1);
        inv = inverse(m[rank][c], p);
        for (k = c; k <= cols; k++)
            m[rank][k] = mod(m[rank][k] * inv, p);
        for (r = 0; r < rows; r++) {

            if (r == rank)
                continue;
            for (k = c; k <= cols; k++)
                m[r][k] = mod(m[r][k] - m[r][c] * m[rank][k], p);
        }
        rank++;
    }
    for (r = rank; r < rows; r++)
        if (m[r][cols] != 0)
            return -1;
    return rank;
}

int main(void)
{
    long m[MAXN][MAXN + 1], p;
    int rows, cols, i, j, rank;

    if (scanf("%ld %d %d", &p, &rows, &cols) != 3 || rows < 1 || rows > MAXN || cols < 1 || cols > MAXN)
        return 1;
    for (i = 0; i < rows; i++)
        for (j = 0; j <= cols; j++) {
            if (scanf("%ld", &m[i][j]) != 1)
                return 1;
            m[i][j] = mod(m[i][j], p);
        }
    rank = eliminate(m, rows, cols, p);
    if (rank < 0) {
        printf("no solution\n");
        return 0;
    }
    printf("rank %d\n", rank);
    for (i = 0; i < rank; i++) {
        for (j = 0; j <= cols; j++)
            printf(j < cols ? "%ld " : "| %ld\n", m[i][j]);
    }
    return 0;
}

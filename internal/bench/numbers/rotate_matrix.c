/* Turns a 3 by 3 picture by a quarter, clockwise, in place. */
#include <stdio.h>

#define N 3

void quarter(int *m)
{
    int row, col;
    for (row = 0; row < N; row++) {
        for (col = row + 1; col < N; col++) {
            int t = m[N * row + col];
            m[N * row + col] = m[N * col + row];
            m[N * col + row] = t;
        }
    }
    for (row = 0; row < N; row++) {
        int t = m[N * row];
        m[N * row] = m[N * row + N - 1];
        m[N * row + N - 1] = t;
    }
}

int main(void)
{
    int m[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, i;
    quarter(m);
    for (i = 0; i < 9; i++)
        printf("%d ", m[i]);
    printf("\n");
    return 0;
}

// rotate 1
#include <stdio.h>
#define N 3
static void rotate(int m[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            int t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N / 2; j++) {
            int t = m[i][j];
            m[i][j] = m[i][N - 2 - j]; //! m[i][j] = m[i][N - 1 - j];
            m[i][N - 1 - j] = t;
        }
}
static void run(const int *a, int n)
{
    int m[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = a[(i * N + j) % n] + i;
    rotate(m);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d ", m[i][j]);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {9, 2, 7, 1, 4, 8, 5};
#else
    static const int a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

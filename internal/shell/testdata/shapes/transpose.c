// transpose 1
#include <stdio.h>
#define N 3
static void transpose(int m[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) { //! for (int j = i + 1; j < N; j++) {
            int t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}
int main(void)
{
#ifdef HELD
    int m[N][N] = {{4, 0, 7}, {1, 1, 8}, {9, 2, 5}};
#else
    int m[N][N] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
#endif
    transpose(m);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            printf("%d ", m[i][j]);
        printf("\n");
    }
    return 0;
}

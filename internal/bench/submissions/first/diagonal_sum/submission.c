#include <stdio.h>

int main(void)
{
    int m[10][10], n, i, j;
    int principal = 0, secundaria = 0;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            scanf("%d", &m[i][j]);
    for (i = 0; i < n; i++) {
        principal += m[i][i];
        secundaria += m[i][n - i];
    }
    printf("%d %d\n", principal, secundaria);
    return 0;
}

#include <stdio.h>

int main()
{
    int n, i, j;
    int mat[10][10];
    int simetrica = 1;

    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            scanf("%d", &mat[i][j]);
        }
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            if (mat[i][j] != mat[j][i]) {
                simetrica = 0;
            }
        }
    }
    if (simetrica == 1)
        printf("yes\n");
    else
        printf("no\n");
    return 0;
}

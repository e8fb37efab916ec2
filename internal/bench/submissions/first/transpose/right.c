#include <stdio.h>

#define N 10

int main(void)
{
    int a[N][N], t[N][N];
    int i, j, rows, cols;

    scanf("%d%d", &rows, &cols);
    for (i = 0; i < rows; i++)
        for (j = 0; j < cols; j++)
            scanf("%d", &a[i][j]);
    for (i = 0; i < rows; i++)
        for (j = 0; j < cols; j++)
            t[j][i] = a[i][j];
    for (i = 0; i < cols; i++) {
        for (j = 0; j < rows; j++) {
            printf("%d", t[i][j]);
            if (j < rows - 1)
                printf(" ");
        }
        printf("\n");
    }
    return 0;
}

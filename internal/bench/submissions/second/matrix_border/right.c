#include <stdio.h>

int main(void)
{
    int m[20][20], rows, cols, i, j, sum = 0;

    scanf("%d %d", &rows, &cols);
    for (i = 0; i < rows; i++)
        for (j = 0; j < cols; j++)
            scanf("%d", &m[i][j]);

    /* first and last row */
    for (j = 0; j < cols; j++) {
        sum += m[0][j];
        if (rows > 1)
            sum += m[rows - 1][j];
    }
    /* first and last column */
    for (i = 1; i < rows - 1; i++) {
        sum += m[i][0];
        if (cols > 1)
            sum += m[i][cols - 1];
    }
    printf("%d\n", sum);
    return 0;
}

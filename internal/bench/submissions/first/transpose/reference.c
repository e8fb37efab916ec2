/* Read R and C, then the matrix, print its transpose: rows of numbers separated by a blank, without blanks at the end of a line. */
#include <stdio.h>

int main(void)
{
    int r, c, m[10][10];

    scanf("%d%d", &r, &c);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++)
            scanf("%d", &m[i][j]);
    for (int j = 0; j < c; j++)
        for (int i = 0; i < r; i++)
            printf("%d%s", m[i][j], i + 1 < r ? " " : "\n");
    return 0;
}

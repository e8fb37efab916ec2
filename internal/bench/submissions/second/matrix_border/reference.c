/* Read R and C (at most 20) and a matrix of R rows and C columns. Print the sum of the numbers on its border. */
#include <stdio.h>

int main(void)
{
    int r, c, x, sum = 0;

    scanf("%d%d", &r, &c);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            scanf("%d", &x);
            if (i == 0 || j == 0 || i == r - 1 || j == c - 1)
                sum += x;
        }
    printf("%d\n", sum);
    return 0;
}

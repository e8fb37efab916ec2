/* Read R and C, then an R by C matrix of integers. Print the sum of each row on a line of its own. */
#include <stdio.h>

int main(void)
{
    int r, c, x;

    scanf("%d%d", &r, &c);
    for (int i = 0; i < r; i++) {
        int sum = 0;
        for (int j = 0; j < c; j++) {
            scanf("%d", &x);
            sum += x;
        }
        printf("%d\n", sum);
    }
    return 0;
}

/* Read N and an N by N matrix; print the sum of the main diagonal and the sum of the other diagonal on one line, separated by a blank. */
#include <stdio.h>

int main(void)
{
    int n, x, a = 0, b = 0;

    scanf("%d", &n);
    for (int i = 0; i < n * n; i++) {
        scanf("%d", &x);
        if (i / n == i % n)
            a += x;
        if (i / n + i % n == n - 1)
            b += x;
    }
    printf("%d %d\n", a, b);
    return 0;
}

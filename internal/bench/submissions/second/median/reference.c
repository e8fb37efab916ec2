/* Read N (1 or more, at most 50) and N integers. Print their median with one decimal; of an even count it is the mean of the two in the middle. */
#include <stdio.h>
#include <stdlib.h>

static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    int n, a[50];

    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%d", &a[i]);
    qsort(a, n, sizeof a[0], cmp);
    printf("%.1f\n", (a[(n - 1) / 2] + a[n / 2]) / 2.0);
    return 0;
}

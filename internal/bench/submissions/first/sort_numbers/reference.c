/* Read N (up to 100) and N integers; print them in ascending order, one per line. */
#include <stdio.h>
#include <stdlib.h>

static int cmp(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    int n, v[100];

    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%d", &v[i]);
    qsort(v, n, sizeof v[0], cmp);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

static int compares;

static int less(int a, int b)
{
    compares++;
    return a < b;
}

/* gaps 1, 4, 13, 40, ... */
static void shellsort(int a[], int n)
{
    int gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    while (gap > 0) {
        for (int i = gap; i < n; i++) {
            int v = a[i], j = i;
            while (j >= gap && less(v, a[j - gap])) {
                a[j] = a[j - gap];
                j -= gap;
            }
            a[j] = v;
        }
        gap /= 3;
    }
}

static int median(const int a[], int n)
{
    if (n % 2)
        return a[n / 2];
    return (a[n / 2 - 1] + a[n / 2]) / 2;
}

static int distinct(const int a[], int n)
{
    int d = n > 0;
    for (int i = 1; i < n; i++)
        d += a[i] != a[i - 1];
    return d;
}

int main(int argc, char **argv)
{
    int n = argc - 1;
    int *a = malloc((n + 1) * sizeof *a);

    if (n == 0) {
        printf("nothing to sort\n");
        free(a);
        return 0;
    }
    for (int i = 0; i < n; i++)
        a[i] = atoi(argv[i + 1]);
    shellsort(a, n);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\nmedian %d, %d distinct, %d comparisons\n", median(a, n), distinct(a, n), compares);
    free(a);
    return 0;
}

/* Runs of equal numbers as pairs of number and length. */
#include <stdio.h>

int run_length(const int *a, int n, int *out)
{
    int k = 0;
    int i = 0;
    while (i < n) {
        int run = 1;
        while (i + run < n && a[i + run] == a[i])
            run++;
        out[k] = a[i];
        out[k + 1] = run;
        k += 2;
        i += run;
    }
    return k;
}

int main(void)
{
    int a[] = {7, 7, 1, 1, 1}, out[10], i, n = run_length(a, 5, out);
    for (i = 0; i < n; i++)
        printf("%d ", out[i]);
    printf("\n");
    return 0;
}

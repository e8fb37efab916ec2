/* Merges two sorted arrays; numbers in both are kept once. */
#include <stdio.h>

int merge(const int *a, int na, const int *b, int nb, int *out)
{
    int i = 0, j = 0, k = 0;
    while (i < na && j < nb) {
        if (a[i] < b[j]) {
            out[k++] = a[i++];
        } else if (a[i] > b[j]) {
            out[k++] = b[j++];
        } else {
            out[k++] = a[i];
            i++;
            j++;
        }
    }
    while (i < na)
        out[k++] = a[i++];
    while (j < nb)
        out[k++] = b[j++];
    return k;
}

int main(void)
{
    int a[] = {1, 3, 5}, b[] = {2, 3}, out[5], i, n = merge(a, 3, b, 2, out);
    for (i = 0; i < n; i++)
        printf("%d ", out[i]);
    printf("\n");
    return 0;
}

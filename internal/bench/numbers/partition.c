/* Puts what is smaller than the last element before it; the last element's new place. */
#include <stdio.h>

static void swap(int *a, int i, int j)
{
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
}

int partition(int *a, int n)
{
    if (n == 0)
        return -1;
    int pivot = a[n - 1];
    int store = 0;
    for (int i = 0; i < n - 1; i++) {
        if (a[i] < pivot) {
            swap(a, i, store);
            store++;
        }
    }
    swap(a, store, n - 1);
    return store;
}

int main(void)
{
    int a[] = {5, 1, 4, 2, 3}, i, p = partition(a, 5);
    for (i = 0; i < 5; i++)
        printf("%d ", a[i]);
    printf("at %d\n", p);
    return 0;
}

/* Sorts an array by insertion. */
#include <stdio.h>

void insertion_sort(int *a, int n)
{
    int i, j;
    for (i = 1; i < n; i++) {
        int v = a[i];
        j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
    }
}

int main(void)
{
    int a[] = {3, 1, 2}, i;
    insertion_sort(a, 3);
    for (i = 0; i < 3; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}

/* The place of a number in a sorted array, or where it would have to go, negative. */
#include <stdio.h>

int binary_search(const int *a, int n, int key)
{
    int low = 0;
    int high = n - 1;
    while (low <= high) {
        int mid = low + (high - low) / 2;
        if (a[mid] < key)
            low = mid + 1;
        else if (a[mid] > key)
            high = mid - 1;
        else
            return mid;
    }
    return -(low + 1);
}

int main(void)
{
    int a[] = {1, 4, 6, 9, 12};
    printf("%d %d\n", binary_search(a, 5, 9), binary_search(a, 5, 5));
    return 0;
}

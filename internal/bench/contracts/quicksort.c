void sort_part(int *a, int low, int high)
{
    int i = low;
    int j = high;
    int pivot;
    if (low >= high)
        return;
    pivot = a[(low + high) / 2];
    while (i <= j) {
        while (a[i] < pivot)
            i = i + 1;
        while (a[j] > pivot)
            j = j - 1;
        if (i <= j) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i = i + 1;
            j = j - 1;
        }
    }
    sort_part(a, low, j);
    sort_part(a, i, high);
}

/* Sorts an array.
   pre:  n >= 0
   post: sorted(a, 0, n)
   post: permutation(a, 0, n) */
void quicksort(int *a, int n)
{
    sort_part(a, 0, n - 1);
}

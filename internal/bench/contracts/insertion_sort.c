/* Sorts an array by insertion.
   pre:  n >= 0
   post: sorted(a, 0, n)
   post: permutation(a, 0, n) */
void insertion_sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
    }
}

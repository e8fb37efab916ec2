/* Sorts an array by selection.
   pre:  n >= 0
   post: sorted(a, 0, n)
   post: permutation(a, 0, n) */
void selection_sort(int *a, int n)
{
    for (int i = 0; i < n - 1; i++) {
        int m = i;
        for (int j = i + 1; j < n; j++) {
            if (a[j] < a[m])
                m = j;
        }
        int t = a[i];
        a[i] = a[m];
        a[m] = t;
    }
}

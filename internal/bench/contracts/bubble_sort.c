/* Sorts an array by exchanging neighbours.
   pre:  n >= 0
   post: sorted(a, 0, n)
   post: permutation(a, 0, n) */
void bubble_sort(int *a, int n)
{
    int i, j;
    for (i = 0; i < n - 1; i++) {
        for (j = 0; j < n - 1 - i; j++) {
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
        }
    }
}

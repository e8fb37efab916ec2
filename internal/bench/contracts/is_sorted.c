/* Whether an array is sorted.
   pre:  n >= 0
   post: result == (forall(i, 1, n, a[i - 1] <= a[i]) != 0) */
int is_sorted(const int *a, int n)
{
    int ok = 1;
    for (int i = 1; i < n; i++) {
        if (a[i - 1] > a[i])
            ok = 0;
    }
    return ok;
}

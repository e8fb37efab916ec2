/* Where the smallest element is, the first of equals.
   pre:  n > 0
   post: result >= 0 && result < n && forall(i, 0, n, a[result] <= a[i])
   post: forall(i, 0, result, a[i] > a[result]) */
int min_index(const int *a, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        if (a[i] < a[best])
            best = i;
    }
    return best;
}

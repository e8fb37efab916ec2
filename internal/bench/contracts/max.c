/* The largest element.
   pre:  n > 0
   post: forall(i, 0, n, result >= a[i]) && exists(i, 0, n, result == a[i]) */
int max(const int *a, int n)
{
    int i, s;
    i = 1;
    s = a[0];
    while (i < n) {
        if (s < a[i])
            s = a[i];
        i = i + 1;
    }
    return s;
}

/* How often a number is in an array.
   pre:  n >= 0
   post: result == sum(i, 0, n, a[i] == x) */
int count_equal(const int *a, int n, int x)
{
    int c = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == x)
            c++;
    }
    return c;
}

/* Where a number is first, n when it is not there.
   pre:  n >= 0
   post: result >= 0 && result <= n && forall(i, 0, result, a[i] != x)
   post: implies(result < n, a[result] == x) */
int find_first(const int *a, int n, int x)
{
    int i = 0;
    while (i < n && a[i] != x)
        i++;
    return i;
}

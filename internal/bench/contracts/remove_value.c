/* Takes a number out of an array; how many are left.
   pre:  n >= 0
   post: result == sum(i, 0, n, old(a[i]) != x)
   post: forall(i, 0, result, a[i] != x) */
int remove_value(int *a, int n, int x)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] != x) {
            a[k] = a[i];
            k++;
        }
    }
    return k;
}

/* Every element becomes the sum up to it.
   pre:  n >= 0
   post: forall(i, 0, n, a[i] == sum(k, 0, i + 1, old(a[k]))) */
void prefix_sums(int *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i] + a[i - 1];
}

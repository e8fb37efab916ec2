/* Moves all elements one place to the left, the first to the end.
   pre:  n > 0
   post: forall(i, 0, n - 1, a[i] == old(a[i + 1])) && a[n - 1] == old(a[0]) */
void rotate_left(int *a, int n)
{
    int first = a[0];
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1];
    a[n - 1] = first;
}

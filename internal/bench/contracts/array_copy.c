/* Copies an array.
   pre:  n >= 0 && n <= 6
   post: forall(i, 0, n, b[i] == a[i] && a[i] == old(a[i])) */
void copy(int *a, int n, int *b)
{
    int i = 0;
    while (i < n) {
        b[i] = a[i];
        i = i + 1;
    }
}

/* Turns an array round.
   pre:  n >= 0
   post: forall(i, 0, n, a[i] == old(a[n - 1 - i])) */
void reverse(int *a, int n)
{
    int i = 0;
    int j = n - 1;
    while (i < j) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
        i++;
        j--;
    }
}

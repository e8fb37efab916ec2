/* The sum of an array.
   pre:  n >= 0
   post: result == sum(i, 0, n, a[i]) */
int total(const int *a, int n)
{
    int i = 0;
    int s = 0;
    while (i < n) {
        s = s + a[i];
        i = i + 1;
    }
    return s;
}

/* The inner product of two vectors.
   pre:  n >= 0 && n <= 4
   post: result == sum(i, 0, n, a[i] * b[i]) */
int dot(const int *a, const int *b, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

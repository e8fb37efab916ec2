/* Where a number is in a sorted array, -1 when it is not there.
   pre:  n >= 0 && sorted(a, 0, n)
   post: implies(result == -1, forall(i, 0, n, a[i] != x))
   post: implies(result != -1, result >= 0 && result < n && a[result] == x) */
int search(const int *a, int n, int x)
{
    int low = 0;
    int high = n - 1;
    int found = -1;
    while (low <= high && found == -1) {
        int mid = (low + high) / 2;
        if (a[mid] < x)
            low = mid + 1;
        else if (a[mid] > x)
            high = mid - 1;
        else
            found = mid;
    }
    return found;
}

/* Read N (at most 100), N integers in increasing order, and then numbers to look for until the end of the input. Print the position (from 0) of each, or -1. */
#include <stdio.h>

int main(void)
{
    int n, a[100], x, i;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &a[i]);
    while (scanf("%d", &x) == 1) {
        for (i = 0; i < n && a[i] != x; i++)
            ;
        printf("%d\n", i < n ? i : -1);
    }
    return 0;
}

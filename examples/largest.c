#include <stdio.h>

/* The largest element. The comparison is the wrong way round.
   pre:  n > 0
   post: forall(i, 0, n, result >= a[i]) && exists(i, 0, n, result == a[i]) */
int largest(const int *a, int n)
{
    int i = 1;
    int s = a[0];
    while (i < n) {
        if (s > a[i])
            s = a[i];
        i = i + 1;
    }
    return s;
}

int main(void)
{
    int a[] = {-2, 5, 3};
    printf("%d\n", largest(a, 3));
    return 0;
}

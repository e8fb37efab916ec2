#include <stdio.h>

int main(void)
{
    int a[100], n;
    if (scanf("%d", &n) != 1 || n < 1)
        return 1;
    for (int i = 0; i < n; i++)
        scanf("%d", &a[i]);
    int k = 0;
    for (int i = 1; i < n; i++)
        if (a[i] >= a[k])
            k = i;
    printf("%d at %d\n", a[k], k + 1);
    return 0;
}

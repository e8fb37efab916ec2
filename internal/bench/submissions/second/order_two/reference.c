/* Pairs of integers until "0 0": print each pair with the smaller number first. */
#include <stdio.h>

int main(void)
{
    int a, b;

    while (scanf("%d%d", &a, &b) == 2 && (a || b))
        printf("%d %d\n", a < b ? a : b, a < b ? b : a);
    return 0;
}

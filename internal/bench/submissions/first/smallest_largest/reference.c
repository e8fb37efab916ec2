/* Read integers until the end of the input (at least one). Print "min A max B". */
#include <stdio.h>

int main(void)
{
    int x, lo, hi;

    scanf("%d", &x);
    lo = hi = x;
    while (scanf("%d", &x) == 1) {
        if (x < lo)
            lo = x;
        if (x > hi)
            hi = x;
    }
    printf("min %d max %d\n", lo, hi);
    return 0;
}

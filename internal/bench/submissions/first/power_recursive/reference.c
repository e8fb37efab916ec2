/* Read b and e (e >= 0) and print b to the power of e, by a recursive function. */
#include <stdio.h>

static long power(long b, int e)
{
    if (e == 0)
        return 1;
    long h = power(b, e / 2);
    return e % 2 ? h * h * b : h * h;
}

int main(void)
{
    long b;
    int e;

    scanf("%ld%d", &b, &e);
    printf("%ld\n", power(b, e));
    return 0;
}

/* Arithmetic that stops at the ends instead of wrapping. */
#include <limits.h>
#include <stdio.h>

int saturating_add(int a, int b)
{
    if (b > 0 && a > INT_MAX - b)
        return INT_MAX;
    if (b < 0 && a < INT_MIN - b)
        return INT_MIN;
    return a + b;
}

int saturating_sub(int a, int b)
{
    if (b < 0 && a > INT_MAX + b)
        return INT_MAX;
    if (b > 0 && a < INT_MIN + b)
        return INT_MIN;
    return a - b;
}

int apply(int op, int a, int b)
{
    if (op == 1)
        return saturating_sub(a, b);
    return saturating_add(a, b);
}

int main(void)
{
    printf("%d %d\n", apply(0, INT_MAX, 5), apply(1, 7, 9));
    return 0;
}

/* The greatest common divisor, and the least common multiple from it. */
#include <stdio.h>

int gcd(int a, int b)
{
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    while (b != 0) {
        int r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int lcm(int a, int b)
{
    int g = gcd(a, b);
    if (g == 0)
        return 0;
    int m = a / g * b;
    return m < 0 ? -m : m;
}

int main(void)
{
    printf("%d %d\n", gcd(12, 18), lcm(4, 6));
    return 0;
}

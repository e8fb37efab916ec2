/* What kind of triangle three sides make. */
#include <stdio.h>

enum kind { NONE, EQUILATERAL, ISOSCELES, RIGHT, SCALENE };

int classify(int a, int b, int c)
{
    int t;
    if (a <= 0 || b <= 0 || c <= 0)
        return NONE;
    if (a > b) {
        t = a;
        a = b;
        b = t;
    }
    if (b > c) {
        t = b;
        b = c;
        c = t;
    }
    if (a > b) {
        t = a;
        a = b;
        b = t;
    }
    if (a + b <= c)
        return NONE;
    if (a == c)
        return EQUILATERAL;
    if (a == b || b == c)
        return ISOSCELES;
    if (a * a + b * b == c * c)
        return RIGHT;
    return SCALENE;
}

int main(void)
{
    printf("%d %d %d\n", classify(3, 4, 5), classify(2, 2, 3), classify(1, 1, 5));
    return 0;
}

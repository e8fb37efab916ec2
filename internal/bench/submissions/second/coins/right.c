#include <stdio.h>

int main()
{
    int v, n50, n20, n10, n5, n2;

    scanf("%d", &v);
    n50 = v / 50;
    v = v % 50;
    n20 = v / 20;
    v = v % 20;
    n10 = v / 10;
    v = v % 10;
    n5 = v / 5;
    v = v % 5;
    n2 = v / 2;
    v = v % 2;
    if (n50 > 0) printf("50: %d\n", n50);
    if (n20 > 0) printf("20: %d\n", n20);
    if (n10 > 0) printf("10: %d\n", n10);
    if (n5 > 0) printf("5: %d\n", n5);
    if (n2 > 0) printf("2: %d\n", n2);
    if (v > 0) printf("1: %d\n", v);
    return 0;
}

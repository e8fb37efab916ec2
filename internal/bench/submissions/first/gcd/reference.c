/* Read two positive integers and print their greatest common divisor. */
#include <stdio.h>

int main(void)
{
    int a, b;

    scanf("%d %d", &a, &b);
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    printf("%d\n", a);
    return 0;
}

/* Read n (0 to 12) and print n! as "n! = value". Use a recursive function. */
#include <stdio.h>

static int fact(int n)
{
    return n == 0 ? 1 : n * fact(n - 1);
}

int main(void)
{
    int n;

    scanf("%d", &n);
    printf("%d! = %d\n", n, fact(n));
    return 0;
}

/* Read a positive integer and print it in binary. */
#include <stdio.h>

static void bin(unsigned n)
{
    if (n > 1)
        bin(n / 2);
    putchar('0' + n % 2);
}

int main(void)
{
    unsigned n;

    scanf("%u", &n);
    bin(n);
    putchar('\n');
    return 0;
}

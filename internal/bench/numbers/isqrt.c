/* The integer square root, a bit at a time. */
#include <stdio.h>

unsigned isqrt(unsigned n)
{
    unsigned root = 0;
    unsigned bit = 1u << 14;
    while (bit > n)
        bit >>= 2;
    while (bit != 0) {
        if (n >= root + bit) {
            n -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
        bit >>= 2;
    }
    return root;
}

int main(void)
{
    printf("%u %u %u\n", isqrt(15), isqrt(16), isqrt(1000));
    return 0;
}

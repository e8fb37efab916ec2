/* How many bits are set, adding neighbours in parallel. */
#include <stdio.h>

unsigned popcount(unsigned x)
{
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    x = x + (x >> 8);
    x = x + (x >> 16);
    return x & 0x3f;
}

int main(void)
{
    printf("%u %u\n", popcount(255), popcount(0xf0f0f0f0u));
    return 0;
}

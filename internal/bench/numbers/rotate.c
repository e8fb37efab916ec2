/* Rotation of a word, and a byte taken out of it. */
#include <stdio.h>

unsigned rotate(unsigned x, int n)
{
    n &= 31;
    if (n == 0)
        return x;
    return (x << n) | (x >> (32 - n));
}

unsigned pick(unsigned x, int turn, int byte)
{
    unsigned r = rotate(x, turn);
    if (byte < 0 || byte > 3)
        return 0;
    return (r >> (8 * byte)) & 0xff;
}

int main(void)
{
    printf("%x %x\n", rotate(0x80000001u, 4), pick(0x11223344u, 8, 0));
    return 0;
}

/* Gray code: from a number and back; the position of a wheel from its sensor. */
#include <stdio.h>

unsigned short to_gray(unsigned short n)
{
    return n ^ (n >> 1);
}

unsigned short from_gray(unsigned short g)
{
    unsigned short n = 0;
    int i;
    for (i = 0; i < 16; i++) {
        n ^= g;
        g >>= 1;
    }
    return n;
}

int steps(unsigned short before, unsigned short after)
{
    int a = from_gray(before);
    int b = from_gray(after);
    int d = b - a;
    if (d > 32767)
        d -= 65536;
    if (d < -32768)
        d += 65536;
    return d;
}

int main(void)
{
    printf("%d %d\n", to_gray(9), steps(to_gray(3), to_gray(10)));
    return 0;
}

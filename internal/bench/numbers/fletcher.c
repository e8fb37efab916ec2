/* Fletcher's checksum of bytes: two sums, the second weighs positions. */
#include <stdio.h>

unsigned fletcher(const unsigned char *data, int n)
{
    unsigned low = 0;
    unsigned high = 0;
    int i;
    for (i = 0; i < n; i++) {
        low += data[i];
        if (low >= 255)
            low -= 255;
        high += low;
        if (high >= 255)
            high -= 255;
    }
    return (high << 8) | low;
}

int main(void)
{
    unsigned char text[] = {'a', 'b', 'c'};
    printf("%u\n", fletcher(text, 3));
    return 0;
}

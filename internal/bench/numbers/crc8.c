/* An 8-bit cyclic redundancy check with the polynomial 0x07. */
#include <stdio.h>

unsigned char crc8(const unsigned char *data, int n)
{
    unsigned char crc = 0;
    int i, bit;
    for (i = 0; i < n; i++) {
        crc ^= data[i];
        for (bit = 0; bit < 8; bit++) {
            if (crc & 0x80)
                crc = (crc << 1) ^ 0x07;
            else
                crc <<= 1;
        }
    }
    return crc;
}

int main(void)
{
    unsigned char text[] = {'1', '2', '3'};
    printf("%d\n", crc8(text, 3));
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;
typedef unsigned short word;

/* CRC-16 with polynomial 0x1021, most significant bit first */
static word crc16(const byte *p, int n)
{
    word crc = 0xffff;
    while (n-- > 0)
    {
        crc ^= *p++;
        for (int bit = 0; bit < 8; bit++)
        {
            if (crc & 0x8000)
                crc = (word) (crc << 1 ^ 0x1021);
            else
                crc = (word) (crc << 1);
        }
    }
    return crc;
}

static int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

static int fromHex(const char *s, byte *out, int max)
{
    int n = 0;
    while (s[0] && s[1] && n < max)
    {
        int hi = hexDigit(s[0]), lo = hexDigit(s[1]);
        if (hi < 0 || lo < 0)
            return -1;
        out[n++] = (byte) (hi << 4 | lo);
        s += 2;
    }
    return *s ? -1 : n;
}

int main(int argc, char **argv)
{
    byte frame[32];
    for (int i = 1; i < argc; i++)
    {
        int n = fromHex(argv[i], frame, 32);
        if (n < 0)
        {
            printf("%s: not hexadecimal\n", argv[i]);
            continue;
        }
        word crc = crc16(frame, n);
        frame[0] = (byte) (crc >> 8);
        frame[1] = (byte) crc;
        printf("%d bytes, crc %04x (%02x %02x)\n", n, crc, frame[0], frame[1]);
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes in hex are decoded as UTF-8; what is no UTF-8 is printed as ? and skipped by one byte. */

static int hex(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static int read_bytes(const char *s, unsigned char *out, int max)
{
    int n = 0;

    while (s[0] && s[1] && n < max) {
        int hi = hex(s[0]), lo = hex(s[1]);

        if (hi < 0 || lo < 0)
            return -1;
        out[n++] = (unsigned char)(hi << 4 | lo);
        s += 2;
    }
    return *s ? -1 : n;
}

/* the length of the sequence at p, 0 if there is none; left is what is left of the buffer */
static int decode(const unsigned char *p, int left, unsigned *code)
{
    int len, i;
    unsigned c;
    static const unsigned least[5] = { 0, 0, 0x80, 0x800, 0x10000 };

    if (p[0] < 0x80) {
        len = 1;
        c = p[0];
    } else if ((p[0] & 0xe0) == 0xc0) {
        len = 2;
        c = p[0] & 0x1f;
    } else if ((p[0] & 0xf0) == 0xe0) {
        len = 3;
        c = p[0] & 0x0f;
    } else if ((p[0] & 0xf8) == 0xf0) {
        len = 4;
        c = p[0] & 0x07;
    } else {
        return 0;
    }
    if (len > left)
        return 0;
    for (i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < least[len] || c > 0x10ffff)
        return 0;
    if (c >= 0xd800 && c <= 0xdfff)
        return 0;
    *code = c;
    return len;
}

int main(int argc, char **argv)
{
    unsigned char bytes[256];
    int i, k, n, len, wrong;
    unsigned code;

    for (i = 1; i < argc; i++) {
        n = read_bytes(argv[i], bytes, 256);
        if (n < 0) {
            printf("%s: no hex\n", argv[i]);
            continue;
        }
        wrong = 0;
        for (k = 0; k < n; k += len) {
            len = decode(bytes + k, n - k, &code);
            if (len == 0) {
                printf("? ");
                wrong++;
                len = 1;
            } else {
                printf("U+%04X ", code);
            }
        }
        printf("(%d)\n", wrong);
    }
    return 0;
}

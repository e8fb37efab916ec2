#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Packs a sensor's reading into one word and takes it apart again:
 *
 *   bits  0-5   station
 *   bits  6-13  temperature, tenths of a degree / 5, signed (two's complement)
 *   bits 14-20  humidity in percent
 *   bit  21     battery low
 *   bit  22     parity: the number of ones in bits 0-22 is even
 */

#define FIELD(w, shift, bits) ((w) >> (shift) & ((1u << (bits)) - 1))
#define BATTERY (1u << 21)
#define PARITY (1u << 22)

static int ones(unsigned w)
{
    int n = 0;
    while (w) {
        n += w & 1;
        w >>= 1;
    }
    return n;
}

static unsigned pack(int station, int temp, int humid, int low)
{
    unsigned w = station & 0x3f;
    w |= ((unsigned)(temp / 5) & 0xff) << 6;
    w |= (humid & 0x7fu) << 14;
    if (low)
        w |= BATTERY;
    if (ones(w) % 2 == 1)
        w |= PARITY;
    return w;
}

static int temperature(unsigned w)
{
    int t = FIELD(w, 6, 8);
    if (t >= 128)
        t -= 256;
    return t * 5;
}

static int print_word(unsigned w)
{
    if (ones(w) % 2 != 0 || w >> 23 != 0) {
        printf("%06x is damaged\n", w);
        return 0;
    }
    int t = temperature(w);
    printf("%06x: station %u, ", w, FIELD(w, 0, 6));
    printf("%s%d.%d degrees, ", t < 0 ? "-" : "", abs(t) / 10, abs(t) % 10);
    printf("%u%%", FIELD(w, 14, 7));
    if ((w & BATTERY) != 0)
        printf(", battery low");
    printf("\n");
    return 1;
}

int main(void)
{
    char what[8];
    int s, t, h, low, good = 0, bad = 0;
    unsigned w;

    while (scanf("%7s", what) == 1) {
        if (strcmp(what, "pack") == 0) {
            if (scanf("%d %d %d %d", &s, &t, &h, &low) != 4)
                return 1;
            w = pack(s, t, h, low);
        } else if (scanf("%x", &w) != 1) {
            return 1;
        }
        if (print_word(w))
            good++;
        else
            bad++;
    }
    printf("%d good, %d bad\n", good, bad);
    return bad > 0;
}

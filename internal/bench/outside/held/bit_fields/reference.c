#include <stdio.h>
#include <string.h>

/* a word is a row of 23 characters '0' and '1', the lowest bit first */

static char row[33];

static void write_bits(int at, int bits, int value)
{
    if (value < 0)
        value += 1 << bits;
    for (int i = 0; i < bits; i++) {
        row[at + i] = '0' + value % 2;
        value /= 2;
    }
}

static long read_bits(int at, int bits)
{
    long v = 0;
    for (int i = bits; i-- > 0;)
        v = 2 * v + (row[at + i] - '0');
    return v;
}

static int odd(void)
{
    int n = 0;
    for (int i = 0; i < 32; i++)
        if (row[i] == '1')
            n = !n;
    return n;
}

int main(void)
{
    char word[16];
    int count[2] = {0, 0};
    while (scanf("%15s", word) == 1) {
        memset(row, '0', 32);
        if (word[0] == 'p') {
            int st, te, hu, lo;
            scanf("%d%d%d%d", &st, &te, &hu, &lo);
            write_bits(0, 6, st);
            write_bits(6, 8, te / 5);
            write_bits(14, 7, hu);
            write_bits(21, 1, lo ? 1 : 0);
            row[22] = odd() ? '1' : '0';
        } else {
            unsigned long x;
            scanf("%lx", &x);
            for (int i = 0; i < 32; i++, x /= 2)
                row[i] = x % 2 ? '1' : '0';
        }
        int damaged = odd() || read_bits(23, 9) != 0;
        count[damaged]++;
        printf("%06lx", read_bits(0, 32));
        if (damaged) {
            printf(" is damaged\n");
            continue;
        }
        int t = read_bits(6, 7) - (row[13] == '1' ? 128 : 0);
        t *= 5;
        printf(": station %ld, %s%d.%d degrees, %ld%%%s\n", read_bits(0, 6), t < 0 ? "-" : "", (t < 0 ? -t : t) / 10, (t < 0 ? -t : t) % 10, read_bits(14, 7), row[21] == '1' ? ", battery low" : "");
    }
    printf("%d good, %d bad\n", count[0], count[1]);
    return count[1] ? 1 : 0;
}

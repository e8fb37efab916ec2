#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hamming (7,4): e TEXTDIGITS encodes hexadecimal digits to seven bits each, d BITS... decodes
   words of seven bits and puts one wrong bit right. Bit 1 is the first character of a word. */

typedef unsigned char word;

/* which of the positions 1 to 7 are data */
static const int data_at[4] = { 3, 5, 6, 7 };

static int get(word w, int position)
{
    return w >> (position - 1) & 1;
}

static word put(word w, int position, int bit)
{
    if ((bit & 1) == 0)
        return w & ~(1 << (position - 1));
    return w | 1 << (position - 1);
}

/* the positions of all ones, one with another by exclusive or: 0 for a good word */
static int syndrome(word w)
{
    int s = 0;
    for (int p = 1; p <= 7; p++)
        if (get(w, p))
            s ^= p;
    return s;
}

static word encode(int nibble)
{
    word w = 0;
    for (int i = 0; i < 4; i++)
        w = put(w, data_at[i], nibble >> (3 - i));
    int s = syndrome(w);
    for (int p = 1; p <= 4; p *= 2)
        w = put(w, p, (s & p) != 0);
    return w;
}

static int decode(word w)
{
    int nibble = 0;
    for (int i = 0; i < 4; i++)
        nibble = nibble << 1 | get(w, data_at[i]);
    return nibble;
}

static void print_word(word w)
{
    for (int p = 1; p <= 7; p++)
        putchar('0' + get(w, p));
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        printf("e digits or d words\n");
        return 2;
    }
    if (argv[1][0] == 'e') {
        for (char *s = argv[2]; *s != '\0'; s++) {
            int v = hex_value(*s);
            if (v < 0) {
                printf("?\n");
                return 1;
            }
            print_word(encode(v));
            printf(s[1] ? " " : "\n");
        }
        return 0;
    }
    for (int i = 2; i < argc; i++) {
        word w = 0;
        if (strspn(argv[i], "01") != 7 || argv[i][7] != '\0') {
            printf("%s is no word\n", argv[i]);
            return 1;
        }
        for (int p = 1; p <= 7; p++)
            w |= (argv[i][p - 1] - '0') << (p - 1);
        int s = syndrome(w);
        if (s != 0) {
            w = put(w, s, !get(w, s));
            printf("%x (bit %d was wrong)\n", decode(w), s);
        } else {
            printf("%x\n", decode(w));
        }
    }
    return 0;
}

#include <stdio.h>
#include <string.h>

/* base64, both ways: "+text" is encoded, "-code" is decoded. Several arguments are done one
   after the other. */

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void encode (const unsigned char *in, int len, char *out)
{
    int i;

    for (i = 0; i + 2 < len; i += 3)
    {
        unsigned v = in[i] << 16 | in[i + 1] << 8 | in[i + 2];

        *out++ = alphabet[v >> 18];
        *out++ = alphabet[v >> 12 & 63];
        *out++ = alphabet[v >> 6 & 63];
        *out++ = alphabet[v & 63];
    }
    if (len - i == 1)
    {
        *out++ = alphabet[in[i] >> 2];
        *out++ = alphabet[(in[i] & 3) << 4];
        *out++ = '=';
        *out++ = '=';
    }
    else if (len - i == 2)
    {
        *out++ = alphabet[in[i] >> 2];
        *out++ = alphabet[(((in[i] & 3) << 4) + (in[i + 1] >> 4)) & 63];
        *out++ = alphabet[(in[i + 1] & 15) << 2];
        *out++ = '=';
    }
    *out = '\0';
}

int value (char c)
{
    const char *p = c ? strchr (alphabet, c) : NULL;
    return p ? (int) (p - alphabet) : -1;
}

/* the number of bytes, -1 if s is no base64 */
int decode (const char *s, unsigned char *out)
{
    int n = 0, len = (int) strlen (s);
    int i, k, pad = 0;

    if (len % 4 != 0)
        return -1;
    while (pad < 2 && pad < len && s[len - 1 - pad] == '=')
        pad++;
    for (i = 0; i < len; i += 4)
    {
        unsigned v = 0;
        int take = i + 4 == len ? 3 - pad : 3;

        for (k = 0; k < 4; k++)
        {
            int x = i + k >= len - pad ? 0 : value (s[i + k]);
            if (x < 0)
                return -1;
            v = v << 6 | (unsigned) x;
        }
        for (k = 0; k < take; k++)
            out[n++] = v >> (16 - 8 * k);
    }
    return n;
}

int main (int argc, char **argv)
{
    char code[400];
    unsigned char bytes[400];
    int i, k, n, bad = 0;

    for (i = 1; i < argc; i++)
    {
        if (strlen (argv[i]) > 200)
            continue;
        if (argv[i][0] == '+')
        {
            encode ((const unsigned char *) argv[i] + 1, (int) strlen (argv[i] + 1), code);
            printf ("%s\n", code);
        }
        else if (argv[i][0] == '-')
        {
            n = decode (argv[i] + 1, bytes);
            if (n < 0)
            {
                printf ("no base64: %s\n", argv[i] + 1);
                bad = 1;
            }
            else
            {
                for (k = 0; k < n; k++)
                    if (bytes[k] >= 32 && bytes[k] < 127)
                        printf ("%c", bytes[k]);
                    else
                        printf ("\\%02x", bytes[k]);
                printf ("\n");
            }
        }
    }
    return bad;
}

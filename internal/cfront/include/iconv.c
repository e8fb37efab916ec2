/* iconv.h: conversions between UTF-8, ASCII, ISO-8859-1 and the UTF-16 and UTF-32 of both orders. */
#define _GNU_SOURCE
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

extern void __gulo_refuse(const char *why);

enum { GULO_ASCII, GULO_LATIN, GULO_UTF8, GULO_16LE, GULO_16BE, GULO_16, GULO_32LE, GULO_32BE, GULO_32 };

static const struct { const char *name; int set; } gulo_sets[] = {
    { "UTF-8", GULO_UTF8 }, { "UTF8", GULO_UTF8 }, { "ISO-10646/UTF8", GULO_UTF8 }, { "ASCII", GULO_ASCII }, { "US-ASCII", GULO_ASCII }, { "ANSI_X3.4-1968", GULO_ASCII },
    { "ISO646-US", GULO_ASCII }, { "646", GULO_ASCII }, { "US", GULO_ASCII }, { "", GULO_ASCII }, { "ISO-8859-1", GULO_LATIN }, { "ISO8859-1", GULO_LATIN }, { "ISO_8859-1", GULO_LATIN }, { "ISO88591", GULO_LATIN },
    { "LATIN1", GULO_LATIN }, { "L1", GULO_LATIN }, { "8859_1", GULO_LATIN }, { "UTF-16", GULO_16 }, { "UTF16", GULO_16 }, { "UTF-16LE", GULO_16LE }, { "UTF16LE", GULO_16LE }, { "UTF-16BE", GULO_16BE },
    { "UTF16BE", GULO_16BE }, { "UTF-32", GULO_32 }, { "UTF32", GULO_32 }, { "UTF-32LE", GULO_32LE }, { "UTF32LE", GULO_32LE }, { "UTF-32BE", GULO_32BE }, { "UTF32BE", GULO_32BE },
    { "WCHAR_T", GULO_32LE }, { "UCS-4LE", GULO_32LE }, { "UCS-4", GULO_32BE }, { "UCS-4BE", GULO_32BE },
};

struct gulo_conversion { char used, from, to, order, begun; };
static struct gulo_conversion gulo_conversions[256];

/* The set of a name; what stands behind // is left out, and in *how. */
static int gulo_set(const char *name, char *how)
{
    size_t n = strcspn(name, "/");
    if (!strncmp(name + n, "/UTF8", 5))
        n += 5;
    if (strcasestr(name + n, "TRANSLIT") || strcasestr(name + n, "IGNORE"))
        *how = 1;
    for (size_t i = 0; i < sizeof gulo_sets / sizeof *gulo_sets; i++)
        if (strlen(gulo_sets[i].name) == n && !strncasecmp(name, gulo_sets[i].name, n))
            return gulo_sets[i].set;
    __gulo_refuse("iconv_open of this character set is not supported");
    return -1;
}

static char gulo_lenient[256];

iconv_t iconv_open(const char *to, const char *from)
{
    char how = 0, ignored = 0;
    int t = gulo_set(to, &how), f = gulo_set(from, &ignored);
    for (int i = 1; i < 256; i++)
        if (!gulo_conversions[i].used) {
            gulo_conversions[i] = (struct gulo_conversion){ 1, (char)f, (char)t, 0, 0 };
            gulo_lenient[i] = how;
            return (iconv_t)&gulo_conversions[i];
        }
    errno = EMFILE;
    return (iconv_t)-1;
}

int iconv_close(iconv_t cd)
{
    struct gulo_conversion *c = cd;
    if (cd == (iconv_t)-1) {
        errno = EBADF;
        return -1;
    }
    if (!c->used)
        __gulo_refuse("iconv_close of something that is not open");
    c->used = 0;
    return 0;
}

/* Reads a character of n bytes at most: how many it has, 0 for an incomplete one, -1 for none. */
static int gulo_decode(int set, const unsigned char *p, size_t n, uint32_t *c)
{
    int big = 0;
    uint32_t v;
    switch (set) {
    case GULO_ASCII:
    case GULO_LATIN:
        *c = p[0];
        return set == GULO_ASCII && p[0] > 127 ? -1 : 1;
    case GULO_UTF8: {
        int k = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? -1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : -1;
        if (k <= 1) {
            *c = p[0];
            return k;
        }
        v = p[0] & (0x7f >> k);
        for (int i = 1; i < k; i++) {
            if ((size_t)i >= n)
                return 0;
            if ((p[i] & 0xc0) != 0x80 || (i == 1 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) || (p[0] == 0xed && p[1] > 0x9f))))
                return -1;
            v = v << 6 | (p[i] & 0x3f);
        }
        *c = v;
        return k;
    }
    case GULO_16BE:
        big = 1; /* fall through */
    case GULO_16LE:
        if (n < 2)
            return 0;
        v = p[1 - big] << 8 | p[big];
        if (v >= 0xdc00 && v < 0xe000)
            return -1;
        if (v >= 0xd800 && v < 0xdc00) {
            if (n < 4)
                return 0;
            uint32_t w = p[3 - big] << 8 | p[2 + big];
            if (w < 0xdc00 || w > 0xdfff)
                return -1;
            *c = 0x10000 + ((v - 0xd800) << 10) + (w - 0xdc00);
            return 4;
        }
        *c = v;
        return 2;
    }
    if (n < 4)
        return 0;
    v = set == GULO_32BE ? (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3] : (uint32_t)p[3] << 24 | p[2] << 16 | p[1] << 8 | p[0];
    *c = v;
    return v > 0x10ffff || (v >= 0xd800 && v < 0xe000) ? -1 : 4;
}

static int gulo_units(unsigned char *to, uint32_t v, int size, int big)
{
    for (int i = 0; i < size; i++)
        to[big ? size - 1 - i : i] = v >> 8 * i & 0xff;
    return size;
}

/* Writes a character: how many bytes it has, -1 where the set has no such character. */
static int gulo_encode(int set, uint32_t c, unsigned char *to)
{
    int big = set == GULO_16BE || set == GULO_32BE;
    switch (set) {
    case GULO_ASCII:
    case GULO_LATIN:
        to[0] = (unsigned char)c;
        return c < (set == GULO_ASCII ? 128 : 256) ? 1 : -1;
    case GULO_UTF8:
        if (c < 0x80) {
            to[0] = (unsigned char)c;
            return 1;
        }
        int k = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        for (int i = k - 1; i > 0; i--, c >>= 6)
            to[i] = 0x80 | (c & 0x3f);
        to[0] = (unsigned char)(0xf00 >> k | c);
        return k;
    case GULO_16:
    case GULO_16LE:
    case GULO_16BE:
        if (c < 0x10000)
            return gulo_units(to, c, 2, big);
        gulo_units(to, 0xd800 + ((c - 0x10000) >> 10), 2, big);
        return 2 + gulo_units(to + 2, 0xdc00 + (c & 0x3ff), 2, big);
    }
    return gulo_units(to, c, 4, big);
}

static size_t gulo_stopped(int e)
{
    errno = e;
    return (size_t)-1;
}

size_t iconv(iconv_t cd, char **in, size_t *inleft, char **out, size_t *outleft)
{
    struct gulo_conversion *c = cd;
    unsigned char bytes[4];
    if (cd == (iconv_t)-1)
        return gulo_stopped(EBADF);
    if (!c->used)
        __gulo_refuse("iconv with something that is not open");
    if (!in || !*in) {
        c->begun = c->order = 0;
        return 0;
    }
    if (!c->begun && *inleft) {
        if (c->to == GULO_16 || c->to == GULO_32) {
            int n = gulo_encode(c->to, 0xfeff, bytes);
            if (*outleft < (size_t)n)
                return gulo_stopped(E2BIG);
            memcpy(*out, bytes, n);
            *out += n;
            *outleft -= n;
        }
        c->begun = 1;
    }
    while (*inleft) {
        int from = c->from;
        uint32_t v;
        if (from == GULO_16 || from == GULO_32)
            from = (from == GULO_16 ? GULO_16LE : GULO_32LE) + (c->order == 2);
        int n = gulo_decode(from, (const unsigned char *)*in, *inleft, &v);
        if (!c->order && (c->from == GULO_16 || c->from == GULO_32)) {
            int mark = n > 0 && v == 0xfeff, m = 0;
            if (!mark && n != 0)
                m = gulo_decode(from + 1, (const unsigned char *)*in, *inleft, &v);
            if (n == 0)
                return gulo_stopped(EINVAL);
            c->order = 1;
            if (m > 0 && v == 0xfeff)
                c->order = 2;
            if (mark || c->order == 2) {
                n = c->from == GULO_16 ? 2 : 4;
                *in += n;
                *inleft -= n;
            }
            continue;
        }
        if (n <= 0)
            return gulo_stopped(n ? EILSEQ : EINVAL);
        int k = gulo_encode(c->to, v, bytes);
        if (k < 0) {
            if (gulo_lenient[c - gulo_conversions])
                __gulo_refuse("iconv of a character that the set does not have, with TRANSLIT or IGNORE, is not supported");
            return gulo_stopped(EILSEQ);
        }
        if (*outleft < (size_t)k)
            return gulo_stopped(E2BIG);
        memcpy(*out, bytes, k);
        *in += n;
        *inleft -= n;
        *out += k;
        *outleft -= k;
    }
    return 0;
}

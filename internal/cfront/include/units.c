/* uchar.h in the locale C, where a character is a byte below 128, and byte order of
   networks. */
#include <uchar.h>
#include <wchar.h>
#include <errno.h>
#include <stdint.h>

size_t mbrtoc32(char32_t *out, const char *s, size_t n, mbstate_t *st)
{
    wchar_t w;
    size_t k = s ? mbrtowc(&w, s, n, st) : 0;
    if (s && out && k <= n)
        *out = w;
    return k;
}

size_t mbrtoc16(char16_t *out, const char *s, size_t n, mbstate_t *st)
{
    char32_t w;
    size_t k = mbrtoc32(&w, s, n, st);
    if (s && out && k <= n)
        *out = w;
    return k;
}

size_t c32rtomb(char *s, char32_t c, mbstate_t *st) { return s ? wcrtomb(s, c, st) : 1; }

size_t c16rtomb(char *s, char16_t c, mbstate_t *st) { return s ? wcrtomb(s, c, st) : 1; }

uint32_t htonl(uint32_t x) { return __builtin_bswap32(x); }
uint32_t ntohl(uint32_t x) { return __builtin_bswap32(x); }
uint16_t htons(uint16_t x) { return __builtin_bswap16(x); }
uint16_t ntohs(uint16_t x) { return __builtin_bswap16(x); }

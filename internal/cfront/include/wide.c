/* wchar.h and wctype.h: what is not in the machine itself, in the locale C, whose characters are those of ASCII. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

size_t mbsnrtowcs(wchar_t *to, const char **from, size_t bytes, size_t most, mbstate_t *state)
{
    const char *s = *from;
    size_t n = 0;
    for (; (!to || n < most) && n < bytes; n++) {
        unsigned char c = s[n];
        if (c > 127) {
            if (to)
                *from = s + n;
            errno = EILSEQ;
            return -1;
        }
        if (to)
            to[n] = c;
        if (!c) {
            if (to)
                *from = NULL;
            return n;
        }
    }
    if (to)
        *from = s + n;
    return n;
}

size_t mbsrtowcs(wchar_t *to, const char **from, size_t most, mbstate_t *state) { return mbsnrtowcs(to, from, -1, most, state); }

size_t wcsnrtombs(char *to, const wchar_t **from, size_t wides, size_t most, mbstate_t *state)
{
    const wchar_t *s = *from;
    size_t n = 0;
    for (; (!to || n < most) && n < wides; n++) {
        if (s[n] < 0 || s[n] > 127) {
            if (to)
                *from = s + n;
            errno = EILSEQ;
            return -1;
        }
        if (to)
            to[n] = s[n];
        if (!s[n]) {
            if (to)
                *from = NULL;
            return n;
        }
    }
    if (to)
        *from = s + n;
    return n;
}

size_t wcsrtombs(char *to, const wchar_t **from, size_t most, mbstate_t *state) { return wcsnrtombs(to, from, -1, most, state); }

int wcwidth(wchar_t c) { return c == 0 ? 0 : c >= 32 && c < 127 ? 1 : -1; }

int wcswidth(const wchar_t *s, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n && s[i]; i++) {
        if (wcwidth(s[i]) < 0)
            return -1;
        width += wcwidth(s[i]);
    }
    return width;
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) { return wmemcpy(to, from, n) + n; }

wchar_t *wcschrnul(const wchar_t *s, wchar_t c)
{
    while (*s && *s != c)
        s++;
    return (wchar_t *)s;
}

wchar_t *wcswcs(const wchar_t *s, const wchar_t *part) { return wcsstr(s, part); }

/* The format and what comes of it are ASCII. */
size_t wcsftime(wchar_t *to, size_t most, const wchar_t *format, const struct tm *t)
{
    size_t k = wcslen(format), n;
    char *narrow = malloc(k + 1), *text = malloc(most ? most : 1);
    for (size_t i = 0; i <= k; i++)
        narrow[i] = format[i] < 128 ? format[i] : '?';
    n = most ? strftime(text, most, narrow, t) : 0;
    for (size_t i = 0; n && i <= n; i++)
        to[i] = text[i];
    free(narrow);
    free(text);
    return n;
}

int iswalnum_l(wint_t c, locale_t l) { return iswalnum(c); }
int iswalpha_l(wint_t c, locale_t l) { return iswalpha(c); }
int iswblank_l(wint_t c, locale_t l) { return iswblank(c); }
int iswcntrl_l(wint_t c, locale_t l) { return iswcntrl(c); }
int iswdigit_l(wint_t c, locale_t l) { return iswdigit(c); }
int iswgraph_l(wint_t c, locale_t l) { return iswgraph(c); }
int iswlower_l(wint_t c, locale_t l) { return iswlower(c); }
int iswprint_l(wint_t c, locale_t l) { return iswprint(c); }
int iswpunct_l(wint_t c, locale_t l) { return iswpunct(c); }
int iswspace_l(wint_t c, locale_t l) { return iswspace(c); }
int iswupper_l(wint_t c, locale_t l) { return iswupper(c); }
int iswxdigit_l(wint_t c, locale_t l) { return iswxdigit(c); }
wctype_t wctype_l(const char *name, locale_t l) { return wctype(name); }
int iswctype_l(wint_t c, wctype_t t, locale_t l) { return iswctype(c, t); }
wint_t towlower_l(wint_t c, locale_t l) { return towlower(c); }
wint_t towupper_l(wint_t c, locale_t l) { return towupper(c); }
wctrans_t wctrans_l(const char *name, locale_t l) { return wctrans(name); }
wint_t towctrans_l(wint_t c, wctrans_t t, locale_t l) { return towctrans(c, t); }
int wcscoll_l(const wchar_t *a, const wchar_t *b, locale_t l) { return wcscoll(a, b); }
int wcscasecmp_l(const wchar_t *a, const wchar_t *b, locale_t l) { return wcscasecmp(a, b); }
int wcsncasecmp_l(const wchar_t *a, const wchar_t *b, size_t n, locale_t l) { return wcsncasecmp(a, b, n); }
size_t wcsxfrm_l(wchar_t *to, const wchar_t *from, size_t n, locale_t l) { return wcsxfrm(to, from, n); }
size_t wcsftime_l(wchar_t *to, size_t most, const wchar_t *format, const struct tm *t, locale_t l) { return wcsftime(to, most, format, t); }
long wcstol_l(const wchar_t *s, wchar_t **end, int base, locale_t l) { return wcstol(s, end, base); }
long long wcstoll_l(const wchar_t *s, wchar_t **end, int base, locale_t l) { return wcstoll(s, end, base); }
unsigned long wcstoul_l(const wchar_t *s, wchar_t **end, int base, locale_t l) { return wcstoul(s, end, base); }
unsigned long long wcstoull_l(const wchar_t *s, wchar_t **end, int base, locale_t l) { return wcstoull(s, end, base); }
double wcstod_l(const wchar_t *s, wchar_t **end, locale_t l) { return wcstod(s, end); }
float wcstof_l(const wchar_t *s, wchar_t **end, locale_t l) { return wcstof(s, end); }

long double wcstold(const wchar_t *s, wchar_t **end)
{
    size_t n = 0;
    while (s[n] > 0 && s[n] < 128)
        n++;
    char *narrow = malloc(n + 1), *stop;
    for (size_t i = 0; i < n; i++)
        narrow[i] = s[i];
    narrow[n] = 0;
    long double v = strtold(narrow, &stop);
    if (end)
        *end = (wchar_t *)s + (stop - narrow);
    free(narrow);
    return v;
}

long double wcstold_l(const wchar_t *s, wchar_t **end, locale_t l) { return wcstold(s, end); }

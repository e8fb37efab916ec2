/* What printf and scanf do with the memory that they are given, by their formats. */
#define _GNU_SOURCE
#include "gulo.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* A conversion: its letter, the size of the number that it reads or writes, and
   what stands between. */
typedef struct {
    char letter;        /* 0: the format is one that is not understood */
    int size;           /* bytes */
    int width;          /* 0: none */
    int stars;          /* arguments before the one that is converted */
    int precision;      /* -1: none */
    int star_precision; /* the last star is it */
    int skip, own, wide;
    const char *modifier, *end;
} conversion;

static const char *number(const char *f, int *n, int *stars)
{
    if (*f == '*') {
        ++*stars;
        return f + 1;
    }
    for (*n = 0; *f >= '0' && *f <= '9'; f++)
        *n = *n < 1 << 20 ? *n * 10 + (*f - '0') : *n;
    return f;
}

/* next_conversion finds the next conversion at or behind f that takes an argument,
   or that is skipped; 0 at the end. */
static int next_conversion(const char *f, int scan, conversion *c)
{
    for (;; f++) {
        f = strchr(f, '%');
        if (!f)
            return 0;
        f++;
        *c = (conversion){.precision = -1};
        if (scan) {
            c->skip = *f == '*';
            f = number(f + c->skip, &c->width, &c->stars);
            c->own = *f == 'm';
            f += c->own;
        } else {
            f += strspn(f, "-+ #0'I");
            f = number(f, &c->width, &c->stars);
            if (*f == '.') {
                int before = c->stars;
                f = number(f + 1, &c->precision, &c->stars);
                c->star_precision = c->stars > before;
            }
        }
        c->modifier = f;
        int longs = 0, shorts = 0;
        for (; *f && strchr("hlLqjzt", *f); f++) {
            longs += *f != 'h';
            shorts += *f == 'h';
        }
        if (!*f)
            return 0;
        c->letter = *f;
        c->size = longs ? 8 : shorts == 1 ? 2 : shorts ? 1 : 4;
        if (strchr("aAeEfFgG", *f))
            c->size = f[-1] == 'L' ? 16 : longs && scan ? 8 : scan ? 4 : 8;
        c->wide = longs > 0 || *f == 'S' || *f == 'C';
        if (*f == '[') {
            f += f[1] == '^' ? 2 : 1;
            f = *f ? strchr(f + 1, ']') : NULL;
            if (!f)
                return 0;
        }
        c->end = f + 1;
        if (c->letter == '%' || (c->letter == 'm' && !scan))
            continue;
        if (!strchr(scan ? "diouxXnpaAeEfFgGsScC[" : "diouxXnpaAeEfFgGsScC", c->letter))
            c->letter = 0; /* "%1$d", for one */
        return 1;
    }
}

/* What printf does with a pointer. */
static void printed(const conversion *c, int precision, int wide_format, const void *p, u64 meta, const gulo_site *s)
{
    switch (c->letter) {
    case 'n':
        gulo_touch(p, (u64)c->size, meta, s, 1);
        break;
    case 's':
    case 'S':
        if (!p)
            return; /* "(null)" */
        if (!c->wide && (precision < 0 || !wide_format))
            gulo_string(p, precision < 0 ? ~0ull : (u64)precision, meta, s);
        else if (c->wide && precision < 0)
            gulo_wide_string(p, ~0ull, meta, s);
        break;
    }
}

/* gulo_printed is a pointer given to printf, the k-th of its variable arguments;
   before is the number before it, which may be its precision. */
void gulo_printed(const char *format, int k, int before, const void *p, u64 meta, const gulo_site *s)
{
    conversion c;
    for (int at = 0; next_conversion(format, 0, &c) && c.letter; format = c.end) {
        at += c.stars;
        if (at++ == k) {
            printed(&c, c.star_precision ? before : c.precision, 0, p, meta, s);
            return;
        }
    }
}

/* gulo_printed_apart is a pointer given to sprintf or snprintf, which write n
   characters, but at most as many bytes as most says; n is -1 if it is not known. */
void gulo_printed_apart(const char *format, int k, const void *p, const void *to, int n, u64 most, const gulo_site *s)
{
    conversion c;
    for (int at = 0; next_conversion(format, 0, &c) && c.letter; format = c.end) {
        at += c.stars;
        if (at++ == k) {
            if (p && c.letter == 's' && !c.wide && c.precision < 0 && !c.star_precision) {
                u64 length = strlen(p) + 1, bytes = n < 0 ? length : (u64)n + 1;
                gulo_apart(to, bytes < most ? bytes : most, p, length, s);
            }
            return;
        }
    }
}

/* gulo_vprinted does the same for a list of arguments. The block
   of a pointer in it is known only if the block begins there. */
void gulo_vprinted(const char *format, va_list given, const gulo_site *s)
{
    va_list ap;
    va_copy(ap, given);
    conversion c;
    for (; next_conversion(format, 0, &c) && c.letter; format = c.end) {
        int star = -1;
        for (int i = 0; i < c.stars; i++)
            star = va_arg(ap, int);
        int precision = c.star_precision ? star : c.precision;
        if (c.size == 16)
            va_arg(ap, long double);
        else if (strchr("aAeEfFgG", c.letter))
            va_arg(ap, double);
        else if (strchr("nsSp", c.letter)) {
            void *p = va_arg(ap, void *);
            if (c.letter != 'p')
                printed(&c, precision, 0, p, gulo_owned(p, 0), s);
        } else if (c.size == 8)
            va_arg(ap, long);
        else
            va_arg(ap, int);
    }
    va_end(ap);
}

/* gulo_vmeasure is how many bytes vsprintf would write. */
u64 gulo_vmeasure(const char *format, va_list given)
{
    va_list ap;
    va_copy(ap, given);
    int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    return n < 0 ? 0 : (u64)n + 1;
}

void gulo_written_text(void *p, int n, u64 meta, const gulo_site *s)
{
    if (n >= 0)
        gulo_touch(p, (u64)n + 1, meta, s, 1);
}

/* scanf reads into memory of ours first: what it was given is written only once it
   is known that it may be. */
#define MOST_SCANNED 64
typedef struct { conversion how; void *to; u64 meta; union { u8 bytes[16]; void *text; } got; } scanned;

/* scan_format writes to out a format that allocates all text, and lists the conversions for
   which arguments are needed. It returns how many there are; -1 if it cannot be done. */
static int scan_format(const char *f, char *out, scanned *list)
{
    int n = 0;
    conversion c;
    for (; next_conversion(f, 1, &c); f = c.end) {
        if (!c.letter || n == MOST_SCANNED || c.stars)
            return -1;
        int text = strchr("sScC[", c.letter) != NULL && !c.skip && !c.own;
        memcpy(out, f, (size_t)(c.modifier - f));
        out += c.modifier - f;
        if (text)
            *out++ = 'm';
        memcpy(out, c.modifier, (size_t)(c.end - c.modifier));
        out += c.end - c.modifier;
        if (!c.skip) {
            list[n].how = c;
            memset(&list[n++].got, 0x5a, sizeof list->got);
        }
    }
    strcpy(out, f);
    return n;
}

/* A list of arguments that are all pointers, as the calling convention has it. */
typedef struct { u32 gp, fp; void *overflow, *saved; } pointers;

static int scan_into(FILE *f, const char *text, const char *format, void **to)
{
    pointers all = {48, 304, to, NULL};
    va_list ap;
    memcpy(ap, &all, sizeof all);
    return f ? vfscanf(f, format, ap) : vsscanf(text, format, ap);
}

static u64 text_size(const scanned *x)
{
    if (strchr("cC", x->how.letter))
        return gulo_heap_size(x->got.text);
    return x->how.wide ? (wcslen(x->got.text) + 1) * sizeof(wchar_t) : strlen(x->got.text) + 1;
}

/* What one conversion read goes where the program wants it. */
static void deliver(scanned *x, const gulo_site *s)
{
    int text = strchr("sScC[", x->how.letter) != NULL;
    if (text && !x->how.own) {
        u64 n = text_size(x);
        gulo_touch(x->to, n, x->meta, s, 1);
        memcpy(x->to, x->got.text, n);
        return;
    }
    u64 n = text || x->how.letter == 'p' ? 8 : (u64)x->how.size;
    gulo_touch(x->to, n, x->meta, s, 1);
    memcpy(x->to, &x->got, n);
    if (text)
        gulo_own_pointer(x->to, s);
}

static int scan_all(FILE *f, const char *string, const char *format, int n, void **to, const u64 *metas, va_list *ap, const gulo_site *s)
{
    scanned list[MOST_SCANNED];
    void *into[MOST_SCANNED];
    char *own = malloc(2 * strlen(format) + 1);
    int want = own ? scan_format(format, own, list) : -1;
    if (want < 0 || (to && want > n)) {
        free(own);
        for (int i = 0; to && i < n; i++)
            gulo_unknown(to[i], metas[i], s);
        return to ? scan_into(f, string, format, to) : f ? vfscanf(f, format, *ap) : vsscanf(string, format, *ap);
    }
    for (int i = 0; i < want; i++) {
        list[i].to = to ? to[i] : va_arg(*ap, void *);
        list[i].meta = to ? metas[i] : gulo_owned(list[i].to, 0);
        into[i] = &list[i].got;
    }
    u8 untouched[16];
    memset(untouched, 0x5a, sizeof untouched);
    int done = scan_into(f, string, own, into), error = errno, left = done;
    for (int i = 0; i < want; i++) {
        int counts = list[i].how.letter != 'n', text = strchr("sScC[", list[i].how.letter) != NULL;
        int got = counts ? left-- > 0 : memcmp(&list[i].got, untouched, sizeof untouched) != 0;
        if (got)
            deliver(&list[i], s);
        if (got && text && !list[i].how.own)
            free(list[i].got.text);
    }
    free(own);
    errno = error;
    return done;
}

/* gulo_scan stands for scanf (kind 0), fscanf (1) and sscanf (2); its arguments are
   n pointers, each with its meta word. */
int gulo_scan(int kind, void *from, const char *format, const gulo_site *s, int n, ...)
{
    void *to[MOST_SCANNED];
    u64 metas[MOST_SCANNED];
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n && i < MOST_SCANNED; i++) {
        to[i] = va_arg(ap, void *);
        metas[i] = va_arg(ap, u64);
    }
    va_end(ap);
    return scan_all(kind == 0 ? stdin : kind == 1 ? from : NULL, from, format, n < MOST_SCANNED ? n : MOST_SCANNED, to, metas, NULL, s);
}

int gulo_vscan(int kind, void *from, const char *format, va_list given, const gulo_site *s)
{
    va_list ap;
    va_copy(ap, given);
    int r = scan_all(kind == 0 ? stdin : kind == 1 ? from : NULL, from, format, 0, NULL, NULL, &ap, s);
    va_end(ap);
    return r;
}

/* What library functions do with the memory that they are given. */
#include "gulo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void gulo_touch(const void *p, u64 n, u64 meta, const gulo_site *s, int write);
static void filled(const void *p, u64 meta);

/* The bytes that a string read takes: to its end, or to the end of its block. */
static u64 extent(const char *p, u64 most, u64 meta)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    if ((u64)p < GULO_NULL_PAGE)
        return 1;
    if ((u32)meta) {
        if ((u64)p < b->base || (u64)p >= b->base + (u64)b->size)
            return 1;
        u64 room = b->base + (u64)b->size - (u64)p;
        u64 n = strnlen(p, room < most ? room : most);
        return n == most ? n : n + 1; /* one beyond the block when no end is there */
    }
    u64 n = strnlen(p, most);
    return n == most ? n : n + 1;
}

void gulo_string(const char *p, u64 most, u64 meta, const gulo_site *s)
{
    if (most)
        gulo_touch(p, extent(p, most, meta), meta, s, 0);
}

/* An object that a function fills in, unless it is not wanted. */
void gulo_out(void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (p)
        gulo_touch(p, n, meta, s, 1);
}

/* What it was filled with points into a block that the function was given. */
void gulo_out_pointer(void **p, u64 meta, const gulo_site *s)
{
    if (!p)
        return;
    gulo_slot *q = gulo_slot_of(p);
    if ((u32)meta >= GULO_LOCALS)
        GULO_COLD[(u32)meta].kept = 1;
    q->meta = gulo_link(meta, (gulo_site *)s);
    q->value = (u64)*p;
}

/* strcpy and strcat write as much as they read. */
void gulo_string_copy(char *to, const char *from, u64 mto, u64 mfrom, int append, const gulo_site *s)
{
    u64 skip = 0;
    gulo_string(from, ~0ull, mfrom, s);
    if (append) {
        gulo_string(to, ~0ull, mto, s);
        skip = strlen(to);
    }
    gulo_touch(to + skip, strlen(from) + 1, mto, s, 1);
}

/* Functions of which nothing is known, by name and first place; GULO_UNKNOWN names
   a file to list them in, or is 1 for standard error. */
#define MOST_UNKNOWN 1000
static const gulo_site *unknown_list[MOST_UNKNOWN];
static int unknown_count, list_unknown;

__attribute__((constructor(102))) static void begin_list(void) { list_unknown = getenv("GULO_UNKNOWN") != NULL; }

__attribute__((destructor)) static void end_list(void)
{
    if (!list_unknown)
        return;
    const char *path = getenv("GULO_UNKNOWN");
    FILE *f = path && strcmp(path, "1") != 0 ? fopen(path, "a") : stderr;
    for (int i = 0; f && i < unknown_count; i++)
        fprintf(f, "%s:%u: nothing is known of %s; what it was given is taken to be written\n", unknown_list[i]->file, unknown_list[i]->line, unknown_list[i]->what);
    if (f && f != stderr)
        fclose(f);
}

static void note_unknown(const gulo_site *s)
{
    for (int i = 0; i < unknown_count; i++)
        if (strcmp(unknown_list[i]->what, s->what) == 0)
            return;
    if (unknown_count < MOST_UNKNOWN)
        unknown_list[unknown_count++] = s;
}

/* reach marks what is in a block as written, and in those that it points to. */
static void reach(const void *p, u64 meta, int depth)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    filled(p, meta);
    if (!depth || !(u32)meta || (u64)p < b->base || (u64)p >= b->base + (u64)b->size)
        return;
    const u64 *w = (const u64 *)((b->base + 7) & ~7ull), *end = (const u64 *)(b->base + (u64)b->size);
    for (int i = 0; i < 64 && w + 1 <= end; i++, w++) {
        const gulo_slot *q = gulo_slot_of(w);
        if (q->value && (u32)q->meta && q->value == *w)
            reach((const void *)q->value, q->meta, depth - 1);
    }
}

/* Such a function may write all that it can reach; as iconv does, through a
   pointer to a pointer. */
void gulo_unknown(const void *p, u64 meta, const gulo_site *s)
{
    if (list_unknown)
        note_unknown(s);
    reach(p, meta, 2);
}

/* All of the block is written. */
static void filled(const void *p, u64 meta)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    if (!gulo_tracks_written || !(u32)meta || (u64)p < b->base || (u64)p > b->base + (u64)b->size)
        return;
    gulo_mark_written((const void *)b->base, (u64)b->size);
}

/* conversion finds the conversion that takes the variable argument with a
   number; 0 when there is none. long is set for l, short for h, and so on. */
static char conversion(const char *f, int want, int *size, int scan)
{
    int k = 0;
    for (; *f; f++) {
        if (*f != '%')
            continue;
        f++;
        if (*f == '%' || !*f)
            continue;
        int skip = 0, longs = 0, shorts = 0;
        for (; *f && strchr("-+ #0123456789.'*", *f); f++)
            if (*f == '*') {
                if (scan)
                    skip = 1;
                else if (k++ == want)
                    return 'd';
            }
        for (; *f && strchr("hlLqjzt", *f); f++) {
            longs += *f == 'l' || *f == 'q' || *f == 'j' || *f == 'z' || *f == 't' || *f == 'L';
            shorts += *f == 'h';
        }
        char c = *f;
        if (c == '[') {
            f += f[1] == '^' ? 2 : 1;
            if (*f == ']')
                f++;
            while (*f && *f != ']')
                f++;
        }
        if (!*f)
            return 0;
        if (skip)
            continue;
        if (k++ == want) {
            *size = longs ? 8 : shorts == 1 ? 2 : shorts ? 1 : 4;
            if (strchr("eEfgGaA", c))
                *size = longs ? 8 : 4;
            return c;
        }
    }
    return 0;
}

/* gulo_printed is a pointer given to printf for a conversion of its format. */
void gulo_printed(const char *format, int k, const void *p, u64 meta, const gulo_site *s)
{
    int size = 0;
    switch (conversion(format, k, &size, 0)) {
    case 's':
        if (size == 4)
            gulo_string(p, ~0ull, meta, s);
        break;
    case 'n':
        gulo_touch(p, (u64)size, meta, s, 1);
        break;
    }
}

/* gulo_scanned is one given to scanf, after the call: what was read is written. */
void gulo_scanned(const char *format, int k, const void *p, u64 meta, const gulo_site *s)
{
    int size = 0;
    char c = conversion(format, k, &size, 1);
    if (!c)
        return;
    if (c == 's' || c == '[' || c == 'c')
        gulo_touch(p, 1, meta, s, 1), filled(p, meta);
    else
        gulo_touch(p, c == 'p' ? 8 : (u64)size, meta, s, 1);
}

/* gulo_filled is an object of unknown size that a function fills in. */
void gulo_filled(const void *p, u64 meta, const gulo_site *s)
{
    if (!p)
        return;
    gulo_touch(p, 1, meta, s, 1);
    filled(p, meta);
}

/* gulo_until is a search for a byte, which ends where it is found. */
void gulo_until(const void *p, int c, u64 most, u64 meta, const gulo_site *s)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    u64 n = most;
    if ((u32)meta && (u64)p >= b->base && (u64)p < b->base + (u64)b->size) {
        u64 room = b->base + (u64)b->size - (u64)p;
        const void *at = memchr(p, c, most < room ? most : room);
        if (at)
            n = (u64)at - (u64)p + 1;
    }
    gulo_touch(p, n, meta, s, 0);
}

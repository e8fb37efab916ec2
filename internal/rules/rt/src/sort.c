/* qsort and bsearch, which tell the function that compares
   into which blocks the pointers that it gets lead. */
#include "gulo.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef int comparison(const void *, const void *);

static int compare(comparison *f, const void *a, u64 ma, const void *b, u64 mb, const gulo_site *s)
{
    gulo_pointer_call = (gulo_call){(const void *)f, s};
    gulo_args[0] = (gulo_slot){ma, (u64)a};
    gulo_args[1] = (gulo_slot){mb, (u64)b};
    return f(a, b);
}

/* merge sorts n elements of a list, stably, as the C library does. */
static void merge(char **list, char **spare, u64 n, comparison *f, u64 meta, const gulo_site *s)
{
    if (n < 2)
        return;
    u64 half = n / 2, i = 0, j = half, k = 0;
    merge(list, spare, half, f, meta, s);
    merge(list + half, spare, n - half, f, meta, s);
    while (i < half && j < n)
        spare[k++] = compare(f, list[i], meta, list[j], meta, s) <= 0 ? list[i++] : list[j++];
    while (i < half)
        spare[k++] = list[i++];
    memcpy(list, spare, k * sizeof *list);
}

void gulo_qsort(void *base, u64 n, u64 size, comparison *f, u64 meta, const gulo_site *s)
{
    u64 bytes = n * size;
    if (n < 2 || !size)
        return;
    gulo_moving(base, bytes, meta, s);
    u64 room = 2 * n * sizeof(char *) + bytes;
    int plain = gulo_bytes_written(base, bytes);
    char **list = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (list == MAP_FAILED) {
        qsort(base, n, size, f);
        return;
    }
    for (u64 i = 0; i < n; i++)
        list[i] = (char *)base + i * size;
    merge(list, list + n, n, f, meta, s);
    int words = size % 8 == 0 && (u64)base % 8 == 0;
    gulo_slot *slots = words ? mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    char *out = (char *)(list + 2 * n);
    for (u64 i = 0; i < n; i++) {
        memcpy(out + i * size, list[i], size);
        if (!plain)
            gulo_move_bits(out + i * size, list[i], size);
        if (slots != MAP_FAILED)
            memcpy(slots + i * size / 8, gulo_slot_of(list[i]), 2 * size);
    }
    memcpy(base, out, bytes);
    if (slots != MAP_FAILED) {
        memcpy(gulo_slot_of(base), slots, 2 * bytes);
        munmap(slots, 2 * bytes);
    }
    if (!plain) {
        gulo_move_bits(base, out, bytes);
        gulo_mark_written(out, bytes);
    }
    munmap(list, room);
}

void *gulo_bsearch(const void *key, const void *base, u64 n, u64 size, comparison *f, u64 mkey, u64 meta, const gulo_site *s)
{
    for (u64 low = 0, high = n; low < high;) {
        u64 middle = (low + high) / 2;
        const char *p = (const char *)base + middle * size;
        int c = compare(f, key, mkey, p, meta, s);
        if (c == 0) {
            gulo_result = (gulo_slot){meta, (u64)p};
            return (void *)p;
        }
        if (c < 0)
            high = middle;
        else
            low = middle + 1;
    }
    gulo_result = (gulo_slot){GULO_MADE(s), 0};
    return NULL;
}

/* Functions of stdlib.h and search.h that call back into the program and that
   few programs use. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

extern void *__gulo_scratch(size_t);
extern void __gulo_scratch_free(void *);
extern void __gulo_moving(const void *, size_t);

void qsort_r(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *, void *), void *arg)
{
    char *b = base, *t;
    if (n < 2 || size == 0)
        return;
    __gulo_moving(base, n * size);
    t = __gulo_scratch(size);
    for (size_t i = 1; i < n; i++) {
        size_t lo = 0, hi = i;
        while (lo < hi) {
            size_t mid = (lo + hi) / 2;
            if (cmp(b + mid * size, b + i * size, arg) <= 0)
                lo = mid + 1;
            else
                hi = mid;
        }
        if (lo < i) {
            memcpy(t, b + i * size, size);
            memmove(b + (lo + 1) * size, b + lo * size, (i - lo) * size);
            memcpy(b + lo * size, t, size);
        }
    }
    __gulo_scratch_free(t);
}

void *lfind(const void *key, const void *base, size_t *n, size_t size, int (*cmp)(const void *, const void *))
{
    for (size_t i = 0; i < *n; i++)
        if (cmp(key, (const char *)base + i * size) == 0)
            return (char *)base + i * size;
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *n, size_t size, int (*cmp)(const void *, const void *))
{
    void *p = lfind(key, base, n, size, cmp);
    return p ? p : memcpy((char *)base + (*n)++ * size, key, size);
}

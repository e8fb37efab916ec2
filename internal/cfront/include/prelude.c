/* Library functions that call back into the program, in C so that the
   debugger sees ordinary frames. qsort is a stable merge sort that compares in
   the order glibc 2.36 does. */
#include <stdlib.h>
#include <string.h>

static void gulo_msort(char *b, size_t n, size_t s, int (*cmp)(const void *, const void *), char *tmp)
{
    if (n <= 1)
        return;
    size_t n1 = n / 2, n2 = n - n1;
    char *b1 = b, *b2 = b + n1 * s, *t = tmp;
    gulo_msort(b1, n1, s, cmp, tmp);
    gulo_msort(b2, n2, s, cmp, tmp);
    while (n1 > 0 && n2 > 0) {
        if (cmp(b1, b2) <= 0) {
            memcpy(t, b1, s);
            b1 += s;
            n1--;
        } else {
            memcpy(t, b2, s);
            b2 += s;
            n2--;
        }
        t += s;
    }
    if (n1 > 0)
        memcpy(t, b1, n1 * s);
    memcpy(b, tmp, (n - n2) * s);
}

extern void *__gulo_scratch(size_t);
extern void __gulo_scratch_free(void *);
extern void __gulo_moving(const void *, size_t);

void qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
    if (n < 2 || size == 0)
        return;
    __gulo_moving(base, n * size);
    char *tmp = __gulo_scratch(n * size);
    gulo_msort(base, n, size, cmp, tmp);
    __gulo_scratch_free(tmp);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
    size_t l = 0, u = n;
    while (l < u) {
        size_t i = (l + u) / 2;
        const char *p = (const char *)base + i * size;
        int c = cmp(key, p);
        if (c < 0)
            u = i;
        else if (c > 0)
            l = i + 1;
        else
            return (void *)p;
    }
    return NULL;
}

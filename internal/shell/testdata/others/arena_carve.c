// carve 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct arena { char *base; size_t used, cap; };
#define ALIGN(n) (((n) + 7u) & ~(size_t)7u)
static void *carve(struct arena *a, size_t n)
{
    size_t size = ALIGN(n);
    if (a->used + size > a->cap)
        return NULL;
    void *p = a->base + a->used;
    a->used += n; //! a->used += size;
    return p;
}
static void run(const int *a, int n)
{
    struct arena ar = { calloc(1, 256), 0, 256 };
    for (int i = 0; i < n; i++) {
        char *p = carve(&ar, a[i]);
        printf("%d ", p ? (int)(p - ar.base) : -1);
    }
    printf("%d\n", (int)ar.used);
}

int main(void)
{
#ifdef HELD
    static const int a[] = {3, 8, 100, 1, 120, 90};
#else
    static const int a[] = {8, 16, 5};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

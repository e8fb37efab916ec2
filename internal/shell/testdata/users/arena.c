// take 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct cell { int v, next; };
struct arena { struct cell cells[6]; int used, free; };
static int take(struct arena *a)
{
    int i;
    if (a->free >= 0) {
        i = a->free;
        a->free = a->cells[0].next; //! a->free = a->cells[i].next;
        return i;
    }
    i = a->used;
    a->used++;
    return i;
}
static void give(struct arena *a, int i)
{
    a->cells[i].next = a->free;
    a->free = i;
}
static void run(const int *a, int n)
{
    static struct arena x;
    x.used = 4;
    x.free = -1;
    for (int i = 0; i < 4; i++)
        x.cells[i].next = 7;
    for (int i = 0; i < n; i++)
        give(&x, a[i]);
    for (int i = 0; i < n; i++) {
        int k = take(&x);
        printf("%d ", k);
    }
    printf("%d\n", x.free);
}

int main(void)
{
#ifdef HELD
    static const int a[] = {2, 1, 0, 3};
#else
    static const int a[] = {1, 3, 2};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

// ring_push 4
#include <stdio.h>
#include <stdlib.h>
struct ring { int cap, head, len; int *slot; };
static int ring_push(struct ring *r, int v)
{
    int at = (r->head + r->len) % r->cap;
    r->slot[at] = v;
    if (r->len == r->cap)
        r->head = r->head + 1; //! r->head = (r->head + 1) % r->cap;
    else
        r->len++;
    return at;
}
static void run(const int *a, int n)
{
    struct ring r = { 3, 2, 0, calloc(3, sizeof(int)) };
    for (int i = 0; i < n; i++) {
        int at = ring_push(&r, a[i]);
        printf("%d ", at);
    }
    for (int i = 0; i < r.len; i++)
        printf("%d ", r.slot[(r.head + i) % r.cap]);
    printf("%d\n", r.head);
}

int main(void)
{
#ifdef HELD
    static const int a[] = {1, 2, 3, 4, 5, 6, 7, 8};
#else
    static const int a[] = {5, 6, 7, 8, 9};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

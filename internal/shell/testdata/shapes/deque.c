// push_front 2
#include <stdio.h>
#include <stdlib.h>
struct deque { int *item; int head, count, room; };
static void push_back(struct deque *d, int v)
{
    if (d->count == d->room)
        return;
    d->item[(d->head + d->count++) % d->room] = v;
}
static void push_front(struct deque *d, int v)
{
    if (d->count == d->room)
        return;
    d->head = d->head ? d->head - 1 : d->room; //! d->head = d->head ? d->head - 1 : d->room - 1;
    d->item[d->head] = v;
    d->count++;
}
int main(void)
{
    struct deque d = { calloc(8, sizeof(int)), 1, 0, 5 };
    push_back(&d, 1);
    push_front(&d, 2);
    push_front(&d, 3);
#ifdef HELD
    d.head = 0;
    push_front(&d, 4);
    push_front(&d, 5);
#endif
    push_back(&d, 6);
    for (int i = 0; i < d.count; i++)
        printf("%d ", d.item[(d.head + i) % d.room]);
    printf("\n");
    return 0;
}

// take
#include <stdio.h>

#define ROOM 3

static int ring[ROOM];
static int head, count, dropped;

static void put(int v)
{
    if (count == ROOM) {
        dropped++;
        return;
    }
    ring[(head + count) % ROOM] = v;
    count++;
}

static int take(void)
{
    int v;
    if (count == 0)
        return -1;
    v = ring[count]; //! v = ring[head];
    head = head + 1; //! head = (head + 1) % ROOM;
    count--;
    return v;
}

int main(void)
{
    put(5);
    put(6);
    int sum = take();
    put(7);
    put(8);
    sum = sum * 10 + take();
    sum = sum * 10 + take();
#ifdef HELD
    put(1);
    put(2);
    put(3);
    while (count > 0)
        sum = sum * 10 + take();
#endif
    printf("%d %d %d\n", sum, head, dropped);
    return 0;
}

/* how many rooms do the meetings need, and when is the house fullest? */
#include <stdio.h>
#include <stdlib.h>

#define MAX 16

struct meeting
{
    int from, to;      /* minutes; the room is free again at to */
    int room;
};

static struct meeting m[MAX];
static int count;

static int byStart(const void *a, const void *b)
{
    const struct meeting *x = a, *y = b;
    if (x->from != y->from)
        return x->from - y->from;
    return x->to - y->to;
}

static int assign(void)
{
    int freeAt[MAX], rooms = 0;
    for (int i = 0; i < count; i++)
    {
        int r;
        for (r = 0; r < rooms; r++)
            if (freeAt[r] <= m[i].from)
                break;
        if (r == rooms)
            rooms++;
        freeAt[r] = m[i].to;
        m[i].room = r + 1;
    }
    return rooms;
}

static int fullest(int *at)
{
    int best = 0;
    *at = 0;
    for (int i = 0; i < count; i++)
    {
        int n = 0;
        for (int k = 0; k < count; k++)
            if (m[k].from <= m[i].from && m[i].from < m[k].to)
                n++;
        if (n > best)
        {
            best = n;
            *at = m[i].from;
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    int at, rooms, n;
    for (int i = 1; i < argc && count < MAX; i++)
    {
        int a, b, c, d;
        if (sscanf(argv[i], "%d:%d-%d:%d", &a, &b, &c, &d) != 4 || a * 60 + b >= c * 60 + d)
        {
            printf("bad meeting %s\n", argv[i]);
            continue;
        }
        m[count].from = a * 60 + b;
        m[count].to = c * 60 + d;
        count++;
    }
    qsort(m, count, sizeof m[0], byStart);
    rooms = assign();
    for (int i = 0; i < count; i++)
        printf("%02d:%02d-%02d:%02d room %d\n", m[i].from / 60, m[i].from % 60, m[i].to / 60, m[i].to % 60, m[i].room);
    n = fullest(&at);
    printf("%d rooms, %d meetings at once at %02d:%02d\n", rooms, n, at / 60, at % 60);
    return 0;
}

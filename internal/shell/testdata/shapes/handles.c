// release 1
#include <stdio.h>
#define ROOM 4
struct slot { int gen, used, next, value; };
struct pool { struct slot slot[ROOM]; int head; };
struct handle { int at, gen; };
static void init(struct pool *p)
{
    for (int i = 0; i < ROOM; i++)
        p->slot[i] = (struct slot){ 1, 0, i + 1, 0 };
    p->head = 0;
}
static struct handle get(struct pool *p, int value)
{
    struct handle h = { p->head, 0 };
    if (h.at == ROOM)
        return h;
    struct slot *s = &p->slot[h.at];
    p->head = s->next;
    s->used = 1;
    s->value = value;
    h.gen = s->gen;
    return h;
}
static int look(const struct pool *p, struct handle h)
{
    if (h.at >= ROOM || !p->slot[h.at].used || p->slot[h.at].gen != h.gen)
        return -1;
    return p->slot[h.at].value;
}
static void release(struct pool *p, struct handle h)
{
    if (look(p, h) < 0)
        return;
    struct slot *s = &p->slot[h.at];
    s->used = 0;
    s->next = p->head; //! s->next = p->head; s->gen++;
    p->head = h.at;
}
int main(void)
{
    struct pool p;
    init(&p);
    struct handle a = get(&p, 10), b = get(&p, 20), c = get(&p, 30);
    release(&p, b);
    struct handle d = get(&p, 40);
#ifdef HELD
    release(&p, b);
    release(&p, a);
    release(&p, d);
    struct handle e = get(&p, 50), f = get(&p, 60);
    printf("%d %d %d ", look(&p, e), look(&p, f), look(&p, d));
#endif
    printf("%d %d %d %d\n", look(&p, a), look(&p, b), look(&p, c), look(&p, d));
    return 0;
}

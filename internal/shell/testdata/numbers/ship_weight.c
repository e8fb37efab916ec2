// load 3
#include <stdio.h>
#include <stdlib.h>
struct crate { int weight; struct crate *below; };
struct ship { struct crate *top; int crates, weight; };
static int load(struct ship *s, int weight)
{
    struct crate *c;
    if (s->weight + weight > 100)
        return -1;
    c = malloc(sizeof *c);
    c->weight = weight;
    c->below = s->top;
    s->top = c;
    s->crates++;
    s->weight += s->crates; //! s->weight += weight;
    return s->crates;
}
int main(void)
{
    struct ship s = {NULL, 0, 0};
#ifdef HELD
    static const int w[] = {40, 30, 50, 25, 9};
#else
    static const int w[] = {1, 2, 20, 40};
#endif
    for (unsigned i = 0; i < sizeof w / sizeof *w; i++)
        printf("%d ", load(&s, w[i]));
    printf("%d\n", s.weight);
    return 0;
}

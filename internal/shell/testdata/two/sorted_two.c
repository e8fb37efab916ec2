// add cut
#include <stdio.h>
#include <stdlib.h>

struct stop {
    int km;
    struct stop *next;
};

static struct stop *route;

static void add(int km)
{
    struct stop *s = malloc(sizeof *s), **at = &route;
    s->km = km;
    while (*at != NULL && (*at)->km > km) //! while (*at != NULL && (*at)->km < km)
        at = &(*at)->next;
    s->next = *at;
    *at = s;
}

static int cut(int km)
{
    struct stop *before = NULL, *s = route;
    while (s != NULL && s->km != km) {
        before = s;
        s = s->next;
    }
    if (s == NULL)
        return 0;
    if (before == NULL)
        route = s->next;
    else
        before->next = s; //! before->next = s->next;
    free(s);
    return 1;
}

int main(void)
{
    add(10);
    add(30);
    add(20);
    cut(20);
#ifdef HELD
    add(5);
    add(25);
    cut(30);
    cut(5);
    add(40);
#endif
    for (struct stop *s = route; s != NULL; s = s->next)
        printf("%d ", s->km);
    printf("\n");
    return 0;
}

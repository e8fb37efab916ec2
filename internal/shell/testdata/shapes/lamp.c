// press 2
#include <stdio.h>
#include <stdlib.h>
struct lamp;
typedef void (*state)(struct lamp *, int);
struct lamp { state next; int bright, presses; };
static void off(struct lamp *l, int hold);
static void dim(struct lamp *l, int hold);
static void full(struct lamp *l, int hold);
static void off(struct lamp *l, int hold)
{
    l->bright = hold ? 100 : 30;
    l->next = hold ? full : dim;
}
static void dim(struct lamp *l, int hold)
{
    l->bright = hold ? 0 : 100;
    l->next = hold ? off : dim; //! l->next = hold ? off : full;
}
static void full(struct lamp *l, int hold)
{
    (void)hold;
    l->bright = 0;
    l->next = off;
}
static void press(struct lamp *l, int hold)
{
    l->presses++;
    l->next(l, hold);
}
int main(void)
{
    struct lamp *l = malloc(sizeof *l);
    *l = (struct lamp){ off, 0, 0 };
#ifdef HELD
    int holds[] = {1, 0, 0, 1, 0, 0, 0, 1};
#else
    int holds[] = {0, 0, 0};
#endif
    for (unsigned i = 0; i < sizeof holds / sizeof *holds; i++) {
        press(l, holds[i]);
        printf("%d ", l->bright);
    }
    printf("\n");
    return 0;
}

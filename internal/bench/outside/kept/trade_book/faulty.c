#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An order book: "buy ID COUNT PRICE", "sell ID COUNT PRICE", "cancel ID".
   Better prices first, among equal ones the older order. A trade is done at the price of the order
   that was there before. */

struct order
{
    int id, count, price;
    struct order *next;
};

static struct order *buyers, *sellers;
static long turnover;

/* is a to be put in front of b? */
static int goes_before(const struct order *a, const struct order *b, int buying)
{
    if (buying)
        return a->price > b->price;
    return a->price <= b->price;
}

static void enqueue(struct order **side, struct order *o, int buying)
{
    while (*side != NULL && !goes_before(o, *side, buying))
        side = &(*side)->next;
    o->next = *side;
    *side = o;
}

static int crosses(const struct order *o, const struct order *other, int buying)
{
    return buying ? o->price >= other->price : o->price <= other->price;
}

static void match(struct order *o, struct order **others, int buying)
{
    while (o->count > 0 && *others != NULL && crosses(o, *others, buying))
    {
        struct order *best = *others;
        int n = o->count < best->count ? o->count : best->count;

        printf("%d and %d trade %d at %d\n", o->id, best->id, n, best->price);
        turnover += (long)n * best->price;
        o->count -= n;
        if (best->count == 0)
        {
            *others = best->next;
            free(best);
        }
    }
}

static void submit(int buying, int id, int count, int price)
{
    struct order *o = malloc(sizeof *o);

    o->id = id;
    o->count = count;
    o->price = price;
    o->next = NULL;
    match(o, buying ? &sellers : &buyers, buying);
    if (o->count > 0)
        enqueue(buying ? &buyers : &sellers, o, buying);
    else
        free(o);
}

static int cancel(struct order **side, int id)
{
    for (; *side != NULL; side = &(*side)->next)
        if ((*side)->id == id)
        {
            struct order *gone = *side;
            *side = gone->next;
            free(gone);
            return 1;
        }
    return 0;
}

static void print_side(const char *title, struct order *o)
{
    printf("%s:", title);
    while (o != NULL)
    {
        struct order *next = o->next;
        printf(" #%d %dx%d", o->id, o->count, o->price);
        free(o);
        o = next;
    }
    printf("\n");
}

int main(void)
{
    char what[10];
    int id, count, price;

    while (scanf("%9s %d", what, &id) == 2)
    {
        if (strcmp(what, "cancel") == 0)
        {
            if (!cancel(&buyers, id) && !cancel(&sellers, id))
                printf("no order %d\n", id);
        }
        else if (scanf("%d %d", &count, &price) == 2 && count > 0)
            submit(strcmp(what, "buy") == 0, id, count, price);
        else
            return 1;
    }
    print_side("buy", buyers);
    print_side("sell", sellers);
    printf("turnover %ld\n", turnover);
    return 0;
}

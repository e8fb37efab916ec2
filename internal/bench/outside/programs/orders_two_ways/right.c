/* each order hangs in the list of its customer and in the list of its day */
#include <stdio.h>
#include <stdlib.h>

#define CUSTOMERS 4
#define DAYS 5

struct order {
    int number, customer, day, cents;
    struct order *cnext;    /* same customer, newest first */
    struct order *dnext;    /* same day, newest first */
};

static struct order *by_customer[CUSTOMERS];
static struct order *by_day[DAYS];
static int numbers;

static void place(int customer, int day, int cents)
{
    struct order *o = malloc(sizeof(struct order));
    o->number = ++numbers;
    o->customer = customer;
    o->day = day;
    o->cents = cents;
    o->cnext = by_customer[customer];
    by_customer[customer] = o;
    o->dnext = by_day[day];
    by_day[day] = o;
}

static void cancel(int number)
{
    struct order *o = NULL, **link;
    int d;

    for (d = 0; d < DAYS && o == NULL; d++)
        for (link = &by_day[d]; *link; link = &(*link)->dnext)
            if ((*link)->number == number) {
                o = *link;
                *link = o->dnext;
                break;
            }
    if (o == NULL) {
        printf("no order %d\n", number);
        return;
    }
    for (link = &by_customer[o->customer]; *link != o; link = &(*link)->cnext)
        ;
    *link = o->cnext;
    free(o);
}

static int owed(int customer)
{
    int sum = 0;
    for (struct order *o = by_customer[customer]; o; o = o->cnext)
        sum += o->cents;
    return sum;
}

static void report(void)
{
    for (int d = 0; d < DAYS; d++) {
        if (by_day[d] == NULL)
            continue;
        printf("day %d:", d);
        for (struct order *o = by_day[d]; o; o = o->dnext)
            printf(" #%d(%d)", o->number, o->cents);
        printf("\n");
    }
    for (int c = 0; c < CUSTOMERS; c++)
        printf("customer %d owes %d.%02d\n", c, owed(c) / 100, owed(c) % 100);
}

int main(void)
{
    int a, b, c;
    char what;

    while (scanf(" %c %d", &what, &a) == 2) {
        if (what == 'c')
            cancel(a);
        else if (scanf("%d %d", &b, &c) == 2 && a >= 0 && a < CUSTOMERS && b >= 0 && b < DAYS)
            place(a, b, c);
    }
    report();
    for (int k = 0; k < CUSTOMERS; k++)
        while (by_customer[k]) {
            struct order *o = by_customer[k];
            by_customer[k] = o->cnext;
            free(o);
        }
    return 0;
}

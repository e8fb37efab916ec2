#include <stdio.h>
#include <stdlib.h>

/* progressive tax: each part of the income at the rate of its bracket */

struct bracket {
    int upto;      /* -1: no limit */
    int percent;
};

static const struct bracket single_rates[] = {
    { 1000, 0 }, { 3000, 10 }, { 8000, 20 }, { -1, 35 },
};

static const struct bracket married_rates[] = {
    { 2000, 0 }, { 6000, 10 }, { 12000, 20 }, { -1, 35 },
};

static int tax(int income, const struct bracket *b)
{
    int cents = 0, lower = 0;
    for (;;) {
        int top = income;
        if (b->upto >= 0 && b->upto < income)
            top = b->upto;
        cents += (top - lower) * b->percent;
        if (top == income)
            break;
        lower = b->upto;
        b++;
    }
    return cents;
}

static int marginal(int income, const struct bracket *b)
{
    while (b->upto >= 0 && income > b->upto)
        b++;
    return b->percent;
}

static void report(int income, const struct bracket *b, int children)
{
    int t = tax(income, b);
    int relief = children * 5000;
    t = t > relief ? t - relief : 0;
    printf("%d: tax %d.%02d, next at %d%%, left %d\n", income, t / 100, t % 100,
           marginal(income, b), income - t / 100);
}

int main(int argc, char **argv)
{
    const struct bracket *rates = single_rates;
    int children = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == 'm')
            rates = married_rates;
        else if (argv[i][0] == 's')
            rates = single_rates;
        else if (argv[i][0] == 'c')
            children = atoi(argv[i] + 1);
        else if (atoi(argv[i]) >= 0 && atoi(argv[i]) < 1000000)
            report(atoi(argv[i]), rates, children);
    }
    return 0;
}

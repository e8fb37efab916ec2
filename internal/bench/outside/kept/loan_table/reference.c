#include <stdio.h>
#include <stdlib.h>

/* with floating point that is exact for such amounts; the table is made first and printed afterwards */

typedef struct { int cents_interest, cents_paid, cents_left; } Row;

static int add_interest(int left, int rate)
{
    int whole = 0;
    double exact = (double)left * rate / 120000.0;
    while (whole + 0.5 <= exact + 1e-9)
        whole++;
    return whole;
}

static const char *euros(int cents)
{
    static char text[8][20];
    static int turn;
    char *t = text[turn = (turn + 1) % 8];
    snprintf(t, 20, "%d.%d%d", cents / 100, cents / 10 % 10, cents % 10);
    return t;
}

int main(int argc, char **argv)
{
    Row table[1000];
    int n = 0, i, total = 0, left, rate, pay, most = 24;

    if (argc <= 3)
    {
        puts("usage: amount rate payment [months]");
        return 2;
    }
    left = atoi(argv[1]);
    rate = atoi(argv[2]);
    pay = atoi(argv[3]);
    if (argc >= 5)
        most = atoi(argv[4]);
    if (left < 1 || rate < 0)
    {
        puts("no loan");
        return 2;
    }
    if (add_interest(left, rate) >= pay)
    {
        puts("this will never be paid back");
        return 1;
    }
    for (n = 0; n < most && left > 0; n++)
    {
        Row *r = &table[n];
        r->cents_interest = add_interest(left, rate);
        left += r->cents_interest;
        r->cents_paid = left < pay ? left : pay;
        left -= r->cents_paid;
        r->cents_left = left;
        total += r->cents_interest;
    }
    for (i = 0; i < n; i++)
        printf("%3d%12s%12s%12s\n", i + 1, euros(table[i].cents_interest), euros(table[i].cents_paid), euros(table[i].cents_left));
    printf("after %d months", n);
    if (left)
        printf(" still owed%12s", euros(left));
    printf(", interest%12s\n", euros(total));
    return 0;
}

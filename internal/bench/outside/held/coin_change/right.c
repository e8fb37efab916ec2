#include <stdio.h>
#include <stdlib.h>

/* Cash desk.  The first line tells what is in the till, the pieces of
   2.00 1.00 0.50 0.20 0.10 0.05; then for each customer price and paid amount.
   Gives change with the greatest coins first and the coins paid do not go into the till. */

#define KINDS 6

const int value[KINDS] = {200, 100, 50, 20, 10, 5};
int till[KINDS];

/* "3", "3.5" and "3.50" are the same; -1 for anything else */
int cents(const char *s)
{
    int whole = 0, part = 0;

    if (*s < '0' || *s > '9')
        return -1;
    while (*s >= '0' && *s <= '9')
        whole = 10 * whole + (*s++ - '0');
    if (*s == '.') {
        s++;
        if (*s < '0' || *s > '9')
            return -1;
        part = 10 * (*s++ - '0');
        if (*s >= '0' && *s <= '9')
            part += *s++ - '0';
    }
    return *s == '\0' ? 100 * whole + part : -1;
}

void money(int c)
{
    printf("%d.%02d", c / 100, c % 100);
}

/* takes the change out of the till, or nothing at all */
int give(int amount, int coins[KINDS])
{
    int i;

    for (i = 0; i < KINDS; i++) {
        coins[i] = amount / value[i];
        if (coins[i] > till[i])
            coins[i] = till[i];
        amount -= coins[i] * value[i];
    }
    if (amount > 0)
        return 0;
    for (i = 0; i < KINDS; i++)
        till[i] -= coins[i];
    return 1;
}

int main(void)
{
    char a[20], b[20];
    int i, left = 0, coins[KINDS];

    for (i = 0; i < KINDS; i++)
        if (scanf("%d", &till[i]) != 1)
            return 1;
    while (scanf("%19s %19s", a, b) == 2) {
        int price = cents(a), paid = cents(b);
        if (price < 0 || paid < 0) {
            printf("what?\n");
            continue;
        }
        if (paid < price) {
            money(price - paid);
            printf(" missing\n");
            continue;
        }
        money(paid - price);
        printf(" back");
        if (give(paid - price, coins)) {
            for (i = 0; i < KINDS; i++)
                if (coins[i] > 0) {
                    printf(", %d x ", coins[i]);
                    money(value[i]);
                }
            printf("\n");
        } else {
            printf(": not enough coins\n");
        }
    }
    for (i = 0; i < KINDS; i++)
        left += till[i] * value[i];
    printf("till: ");
    money(left);
    printf("\n");
    return 0;
}

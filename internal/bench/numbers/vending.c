/* A vending machine: coins go in, a bottle and change come out. */
#include <stdio.h>

#define PRICE 120

int vend(const int *coins, int n, int stock)
{
    int paid = 0;
    int sold = 0;
    int rejected = 0;
    int i;
    for (i = 0; i < n; i++) {
        int c = coins[i];
        if (c != 10 && c != 20 && c != 50 && c != 100) {
            rejected++;
            continue;
        }
        paid += c;
        if (paid >= PRICE && stock > 0) {
            sold++;
            stock--;
            paid -= PRICE;
        }
    }
    return sold * 10000 + rejected * 1000 + paid;
}

int main(void)
{
    int coins[] = {100, 20, 5, 50, 100};
    printf("%d\n", vend(coins, 5, 2));
    return 0;
}

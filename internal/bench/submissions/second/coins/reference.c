/* Read an amount in cents. Print how many coins of 50, 20, 10, 5, 2 and 1 are given for it (as few as possible), one line "COIN: N" for each kind that is used. */
#include <stdio.h>

int main(void)
{
    static const int coin[] = {50, 20, 10, 5, 2, 1};
    int x;

    scanf("%d", &x);
    for (int i = 0; i < 6; i++) {
        if (x / coin[i])
            printf("%d: %d\n", coin[i], x / coin[i]);
        x %= coin[i];
    }
    return 0;
}

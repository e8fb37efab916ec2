/* Luhn's check of a card number, given as digits. */
#include <stdio.h>

int luhn(const int *digits, int n)
{
    int sum = 0;
    int twice = 0;
    int i;
    if (n < 2)
        return 0;
    for (i = n - 1; i >= 0; i--) {
        int d = digits[i];
        if (d < 0 || d > 9)
            return 0;
        if (twice) {
            d = d * 2;
            if (d > 9)
                d -= 9;
        }
        sum += d;
        twice = !twice;
    }
    return sum % 10 == 0;
}

int main(void)
{
    int good[] = {4, 2, 4, 2}, bad[] = {1, 2, 3, 4};
    printf("%d %d\n", luhn(good, 4), luhn(bad, 4));
    return 0;
}

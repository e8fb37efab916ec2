/* What a parcel costs, from a table of weights and zones. */
#include <stdio.h>

static const int limit[4] = {100, 500, 1000, 2000};
static const int price[3][4] = {
    {160, 275, 485, 699},
    {370, 550, 900, 1490},
    {450, 750, 1700, 2890},
};

int postage(int weight, int zone, int express)
{
    int i = 0;
    if (weight <= 0 || zone < 0 || zone > 2)
        return -1;
    while (i < 4 && weight > limit[i])
        i++;
    if (i == 4)
        return -1;
    int cents = price[zone][i];
    if (express)
        cents += cents / 2 + 300;
    return cents;
}

int main(void)
{
    printf("%d %d %d\n", postage(80, 0, 0), postage(700, 2, 1), postage(2500, 1, 0));
    return 0;
}

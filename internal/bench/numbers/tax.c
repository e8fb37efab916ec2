/* Income tax with a free amount, three rates, and relief for children. */
#include <stdio.h>

#define FREE 9000
#define MIDDLE 24000
#define UPPER 60000
#define RELIEF 250

int tax(int income, int children, int married)
{
    int allowance = married ? 2 * FREE : FREE;
    int taxable = income - allowance;
    int due = 0;
    if (taxable <= 0)
        return 0;
    if (taxable > UPPER) {
        due += (taxable - UPPER) * 40 / 100;
        taxable = UPPER;
    }
    if (taxable > MIDDLE) {
        due += (taxable - MIDDLE) * 30 / 100;
        taxable = MIDDLE;
    }
    due += taxable * 20 / 100;
    due -= children * RELIEF;
    if (due < 0)
        due = 0;
    return due;
}

int main(void)
{
    printf("%d %d %d\n", tax(8000, 0, 0), tax(40000, 2, 1), tax(100000, 0, 0));
    return 0;
}

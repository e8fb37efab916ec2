/* Read a date "D M Y". Print which day of the year it is. Years that 4 divides are leap years. */
#include <stdio.h>

int main(void)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int d, m, y;

    scanf("%d%d%d", &d, &m, &y);
    printf("%d\n", before[m - 1] + d + (y % 4 == 0 && m >= 3));
    return 0;
}

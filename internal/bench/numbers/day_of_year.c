/* The number of a day in its year; 0 for dates that do not exist. */
#include <stdio.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int month_days(int year, int month)
{
    if (month == 2 && is_leap(year))
        return 29;
    return days[month - 1];
}

int day_of_year(int year, int month, int day)
{
    if (year < 1 || month < 1 || month > 12)
        return 0;
    if (day < 1 || day > month_days(year, month))
        return 0;
    int n = day;
    int m;
    for (m = 1; m < month; m++)
        n += month_days(year, m);
    return n;
}

int main(void)
{
    printf("%d %d %d\n", day_of_year(2024, 3, 1), day_of_year(2023, 12, 31), day_of_year(1900, 2, 29));
    return 0;
}

/* The day after a date, as yyyymmdd. */
#include <stdio.h>

struct date {
    int year;
    int month;
    int day;
};

static int length(int year, int month)
{
    switch (month) {
    case 2:
        if (year % 4 != 0)
            return 28;
        if (year % 100 == 0 && year % 400 != 0)
            return 28;
        return 29;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    }
    return 31;
}

static void advance(struct date *d)
{
    d->day++;
    if (d->day > length(d->year, d->month)) {
        d->day = 1;
        d->month++;
    }
    if (d->month > 12) {
        d->month = 1;
        d->year++;
    }
}

int next_day(int year, int month, int day)
{
    struct date d;
    d.year = year;
    d.month = month;
    d.day = day;
    advance(&d);
    return d.year * 10000 + d.month * 100 + d.day;
}

int main(void)
{
    printf("%d %d\n", next_day(2024, 2, 28), next_day(1999, 12, 31));
    return 0;
}

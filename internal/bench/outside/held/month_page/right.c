#include <stdio.h>
#include <stdlib.h>

/*
 * month_page YEAR MONTH [DAY...]
 *
 * Prints the page of a month, Monday first; the given days are marked with a star.
 */

int leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_in(int year, int month)
{
    static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    if (month == 2 && leap(year))
        return 29;
    return days[month - 1];
}

/* 0 is Monday; 1 January 1900 was one */
int first_weekday(int year, int month)
{
    long n = 0;
    int i;

    for (i = 1900; i < year; i++)
        n += leap(i) ? 366 : 365;
    for (i = 1; i < month; i++)
        n += days_in(year, i);
    return n % 7;
}

int main(int argc, char **argv)
{
    const char *names[] = { "January", "February", "March", "April", "May", "June", "July",
        "August", "September", "October", "November", "December" };
    int year, month, first, last, day, column, i;
    int marked[32] = { 0 };

    if (argc < 3) {
        printf("month_page YEAR MONTH [DAY...]\n");
        return 1;
    }
    year = atoi(argv[1]);
    month = atoi(argv[2]);
    if (year < 1900 || month < 1 || month > 12) {
        printf("no such month\n");
        return 1;
    }
    last = days_in(year, month);
    for (i = 3; i < argc; i++) {
        day = atoi(argv[i]);
        if (day < 1 || day > last) {
            printf("no such day\n");
            return 1;
        }
        marked[day] = 1;
    }

    printf("%s %d\n", names[month - 1], year);
    printf("Mo  Tu  We  Th  Fr  Sa  Su\n");
    first = first_weekday(year, month);
    for (column = 0; column < first; column++)
        printf("    ");
    for (day = 1; day <= last; day++) {
        printf("%2d%c", day, marked[day] ? '*' : ' ');
        column++;
        if (column == 7) {
            printf("\n");
            column = 0;
        } else if (day < last) {
            printf(" ");
        }
    }
    if (column != 0)
        printf("\n");
    return 0;
}

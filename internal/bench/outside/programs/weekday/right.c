#include <stdio.h>

/* which day of the week? the Gregorian calendar throughout */

static const char *const names[] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"
};

static int is_leap(int y)
{
    return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
}

static int days_in(int m, int y)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    if (m == 2 && is_leap(y))
        return 29;
    return days[m - 1];
}

static int valid(int d, int m, int y)
{
    return y >= 1583 && y <= 9999 && m >= 1 && m <= 12 && d >= 1 && d <= days_in(m, y);
}

static int weekday(int d, int m, int y)
{
    if (m < 3) {
        m += 12;
        y--;
    }
    int k = y % 100, j = y / 100;
    int h = (d + 13 * (m + 1) / 5 + k + k / 4 + j / 4 + 5 * j) % 7;
    return (h + 6) % 7;
}

static int fridays_13th(int y)
{
    int n = 0;
    for (int m = 1; m <= 12; m++)
        n += weekday(13, m, y) == 5;
    return n;
}

int main(void)
{
    int d, m, y;
    while (scanf("%d.%d.%d", &d, &m, &y) == 3) {
        if (!valid(d, m, y)) {
            printf("%d.%d.%d is no date\n", d, m, y);
            continue;
        }
        printf("%d.%d.%d is a %s; %d Fridays the 13th\n", d, m, y, names[weekday(d, m, y)], fridays_13th(y));
    }
    return 0;
}

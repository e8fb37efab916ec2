#include <stdio.h>

/* days since 1900-01-01, which was a Monday; the year of a week is that of its Thursday */

static const int cumulative[] = {0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

static int is_leap(int y) { return y % 400 == 0 || (y % 100 && y % 4 == 0); }

static int start(int year)
{
    int n = 0, y;
    for (y = 1900; y < year; y++)
        n += 365 + is_leap(y);
    return n;
}

static int before(int y, int m) { return cumulative[m] + (m > 2 && is_leap(y)); }

static int first_monday(int year)
{
    int fourth = start(year) + 3;
    return fourth - fourth % 7;
}

int main(int argc, char **argv)
{
    int a;
    for (a = 1; a < argc; a++) {
        int y, m, d, day;
        if (sscanf(argv[a], "%d-W%d", &y, &m) == 2) {
            int weeks = (first_monday(y + 1) - first_monday(y)) / 7, year = y, month = 12;
            if (m < 1 || m > weeks) {
                printf("%d has %d weeks\n", y, weeks);
                continue;
            }
            day = first_monday(y) + 7 * (m - 1);
            if (day < start(y))
                year--;
            day -= start(year);
            while (before(year, month) > day)
                month--;
            printf("%d-W%02d begins on %04d-%02d-%02d\n", y, m, year, month, day - before(year, month) + 1);
            continue;
        }
        if (sscanf(argv[a], "%d-%d-%d", &y, &m, &d) < 3 || m < 1 || m > 12 || d < 1
            || d > (m == 12 ? 31 : before(y, m + 1) - before(y, m))) {
            printf("no date: %s\n", argv[a]);
            continue;
        }
        day = start(y) + before(y, m) + d - 1;
        int year = y + 1;
        while (first_monday(year) > day)
            year--;
        printf("%04d-%02d-%02d is %d-W%02d-%d\n", y, m, d, year, (day - first_monday(year)) / 7 + 1, day % 7 + 1);
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 7 };

static const char *title[] = { "", "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December" };

static int length(int y, int m)
{
    switch (m) {
    case 4: case 6: case 9: case 11:
        return 30;
    case 2:
        if (y % 400 == 0)
            return 29;
        if (y % 100 == 0)
            return 28;
        return y % 4 == 0 ? 29 : 28;
    }
    return 31;
}

/* Sakamoto's way, with Monday as 0 */
static int weekday(int y, int m, int d)
{
    static const int t[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
    if (m < 3)
        y--;
    return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d + 6) % 7;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        puts("month_page YEAR MONTH [DAY...]");
        return 1;
    }
    int y = atoi(argv[1]), m = atoi(argv[2]);
    if (m < 1 || m > 12 || y < 1900) {
        puts("no such month");
        return 1;
    }
    unsigned long stars = 0;
    for (int i = 3; i < argc; i++) {
        int d = atoi(argv[i]);
        if (d < 1 || d > length(y, m)) {
            puts("no such day");
            return 1;
        }
        stars |= 1ul << d;
    }
    printf("%s %d\nMo  Tu  We  Th  Fr  Sa  Su\n", title[m], y);
    int start = weekday(y, m, 1), n = length(y, m);
    for (int cell = 0; cell < start + n; cell++) {
        int d = cell - start + 1;
        if (d < 1)
            printf("   ");
        else
            printf("%2d%s", d, stars >> d & 1 ? "*" : " ");
        if (cell % COLUMNS == COLUMNS - 1 || d == n)
            putchar('\n');
        else
            putchar(' ');
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Dates on which a payment is due: every so many days, weeks, months or years. A day that the
   month does not have is its last one. */

typedef struct {
    int y, m, d;
} Date;

static int leap(int y)
{
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int days_in(int y, int m)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    return m == 2 && leap(y) ? 29 : days[m - 1];
}

static Date add_days(Date t, int n)
{
    t.d += n;
    while (t.d > days_in(t.y, t.m)) {
        t.d -= days_in(t.y, t.m);
        if (++t.m > 12) {
            t.m = 1;
            t.y++;
        }
    }
    return t;
}

static Date add_months(Date t, int n)
{
    int months = t.y * 12 + (t.m - 1) + n;

    t.y = months / 12;
    t.m = months % 12 + 1;
    if (t.d > days_in(t.y, t.m))
        t.d = days_in(t.y, t.m);
    return t;
}

static int parse(const char *s, Date *t)
{
    if (sscanf(s, "%d-%d-%d", &t->y, &t->m, &t->d) != 3)
        return 0;
    return t->y >= 1 && t->m >= 1 && t->m <= 12 && t->d >= 1 && t->d <= days_in(t->y, t->m);
}

static void print(Date t)
{
    printf("%04d-%02d-%02d\n", t.y, t.m, t.d);
}

/* DATE EVERY COUNT, EVERY as 10d, 2w, 1m, 1y */
int main(int argc, char **argv)
{
    Date first, t;
    int every, count, i;
    char unit;

    if (argc != 4) {
        printf("usage: dues DATE EVERY COUNT\n");
        return 2;
    }
    if (!parse(argv[1], &first) || sscanf(argv[2], "%d%c", &every, &unit) != 2
        || every < 1 || strchr("dwmy", unit) == NULL) {
        printf("bad input\n");
        return 1;
    }
    count = atoi(argv[3]);
    t = first;
    for (i = 1; i <= count; i++) {
        print(t);
        switch (unit) {
        case 'd':
            t = add_days(t, every);
            break;
        case 'w':
            t = add_days(t, 7 * every);
            break;
        case 'm':
            t = add_months(first, i * every);
            break;
        case 'y':
            t = add_months(first, 12 * i * every);
            break;
        }
    }
    return 0;
}

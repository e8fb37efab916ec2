#include <stdio.h>
#include <string.h>

/* When is an order due?  Input: holidays as MM-DD lines up to a line with "end", then
 * orders: YYYY-MM-DD N, which is due N working days later.  Saturdays, Sundays and
 * holidays are no working days. */

struct date { int y, m, d; };

static int holiday_month[50], holiday_day[50], holidays;

static int month_len(int y, int m)
{
    static const char len[] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    return m == 2 && leap ? 29 : len[m];
}

/* Zeller; 0 Saturday, 1 Sunday, 2 Monday ... */
static int zeller(struct date t)
{
    int m = t.m, y = t.y;
    if (m < 3) {
        m += 12;
        y--;
    }
    return (t.d + 13 * (m + 1) / 5 + y % 100 + y % 100 / 4 + y / 100 / 4 + 5 * (y / 100)) % 7;
}

static int is_holiday(struct date t)
{
    for (int i = 0; i < holidays; i++)
        if (holiday_month[i] == t.m && holiday_day[i] == t.d)
            return 1;
    return 0;
}

static int works(struct date t)
{
    return zeller(t) > 1 && !is_holiday(t);
}

static struct date tomorrow(struct date t)
{
    t.d++;
    if (t.d > month_len(t.y, t.m)) {
        t.d = 1;
        t.m++;
        if (t.m > 12)
            t.m = 1;
            t.y++;
    }
    return t;
}

int main(void)
{
    char word[20];
    struct date t;
    int n;

    while (scanf("%19s", word) == 1 && strcmp(word, "end") != 0) {
        if (sscanf(word, "%d-%d", &t.m, &t.d) != 2 || holidays == 50) {
            printf("bad holiday %s\n", word);
            return 1;
        }
        holiday_month[holidays] = t.m;
        holiday_day[holidays] = t.d;
        holidays++;
    }
    while (scanf("%d-%d-%d %d", &t.y, &t.m, &t.d, &n) == 4) {
        int days = 0;
        while (n > 0) {
            t = tomorrow(t);
            days++;
            if (works(t))
                n--;
        }
        printf("%04d-%02d-%02d after %d days\n", t.y, t.m, t.d, days);
    }
    return 0;
}

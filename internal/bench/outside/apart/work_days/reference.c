#include <stdio.h>
#include <string.h>
#include <stdbool.h>

/* Days are numbered; day 0 is 1970-01-01, a Thursday. */

static long number(int y, int m, int d)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    long n = 365L * (y - 1970) + before[m - 1] + d - 1;
    int past = m > 2 ? y : y - 1;
    return n + (past / 4 - past / 100 + past / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400);
}

static void split(long n, int *y, int *m, int *d)
{
    for (*y = 1970; number(*y + 1, 1, 1) <= n; ++*y)
        ;
    *m = 12;
    while (number(*y, *m, 1) > n)
        --*m;
    *d = n - number(*y, *m, 1) + 1;
}

int main(void)
{
    bool off[13][32] = {{false}};
    char w[64];
    int y, m, d, n;
    while (scanf("%63s", w) == 1) {
        if (!strcmp(w, "end"))
            break;
        sscanf(w, "%d-%d", &m, &d);
        off[m][d] = true;
    }
    while (scanf("%63s %d", w, &n) == 2) {
        sscanf(w, "%d-%d-%d", &y, &m, &d);
        long from = number(y, m, d), day = from;
        for (; n; n--) {
            int weekday;
            do {
                day++;
                weekday = (day + 3) % 7;        /* Monday 0 */
                split(day, &y, &m, &d);
            } while (weekday >= 5 || off[m][d]);
        }
        printf("%04d-%02d-%02d after %ld days\n", y, m, d, day - from);
    }
    return 0;
}

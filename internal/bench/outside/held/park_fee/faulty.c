#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parking fees.  Each line: PLATE IN OUT, times as H:MM of one day, or PLATE IN OUT+DAYS.
 * A quarter of an hour is free.  After that every hour begun costs 2.00, but a day (24 hours
 * from the arrival) not more than 9.00.  Between 20:00 and 6:00 nobody leaves: the barrier is
 * closed. */

#define FREE 15
#define HOURLY 200
#define DAILY 900
#define DAY (24 * 60)

static int parse_time(const char *s, int *minutes)
{
    int h, m, days = 0;
    int n = sscanf(s, "%d:%d+%d", &h, &m, &days);

    if (n < 2 || h < 0 || h > 23 || m < 0 || m > 59)
        return 0;
    *minutes = days * DAY + h * 60 + m;
    return 1;
}

static int fee(int minutes)
{
    static int sum = 0;

    if (minutes <= FREE)
        return 0;
    while (minutes >= DAY) {
        sum += DAILY;
        minutes -= DAY;
    }
    int hours = minutes / 60 + 1;
    int rest = hours * HOURLY;
    if (rest > DAILY)
        rest = DAILY;
    return sum + rest;
}

static int barrier_closed(int minutes)
{
    int hour = minutes % DAY / 60;

    return hour >= 20 || hour < 6;
}

static void print_money(const char *before, int cents)
{
    printf("%s%d.%02d", before, cents / 100, cents % 100);
}

int main(void)
{
    char plate[16], in[16], out[16];
    int from, to, cars = 0, income = 0, longest = 0;

    while (scanf("%15s %15s %15s", plate, in, out) == 3) {
        if (!parse_time(in, &from) || !parse_time(out, &to) || to < from) {
            printf("%s: bad times\n", plate);
            continue;
        }
        if (barrier_closed(to)) {
            printf("%s: the barrier is closed\n", plate);
            continue;
        }
        int stay = to - from, cents = fee(stay);
        printf("%s: %d:%02d h", plate, stay / 60, stay % 60);
        print_money(", ", cents);
        printf("\n");
        cars++;
        income += cents;
        if (stay > longest)
            longest = stay;
    }
    printf("%d cars", cars);
    print_money(", ", income);
    if (cars > 0)
        printf(", longest %d minutes", longest);
    printf("\n");
    return 0;
}

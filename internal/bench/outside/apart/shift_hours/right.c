#include <stdio.h>
#include <string.h>

/*
 * Working hours of a week.  A line is  DAY FROM-TO [PAUSE]  with times as HH:MM; a shift
 * may go over midnight.  The pause is in minutes; a shift of more than six hours has one of
 * at least 30 minutes, whether it was taken or not.  Sundays count double.
 */

#define WEEK (38 * 60 + 30)

struct totals {
    int minutes;
    int night;          /* of those between 22:00 and 6:00, pauses not taken off */
    int shifts;
};

static int night_minutes(int from, int length)
{
    int t, n = 0;
    for (t = from; t < from + length; t++) {
        int hour = t / 60 % 24;
        if (hour >= 22 || hour < 6)
            n++;
    }
    return n;
}

static void hours(const char *label, int minutes)
{
    const char *sign = "";
    if (minutes < 0) {
        sign = "-";
        minutes = -minutes;
    }
    printf("%s %s%d:%02d", label, sign, minutes / 60, minutes % 60);
}

int main(void)
{
    struct totals total = { 0, 0, 0 };
    char line[80], day[10];

    while (fgets(line, sizeof line, stdin)) {
        int h1, m1, h2, m2;
        int pause = 0;
        int n = sscanf(line, "%9s %d:%d-%d:%d %d", day, &h1, &m1, &h2, &m2, &pause);

        if (n < 5) {
            printf("? %s", line);
            continue;
        }
        int from = h1 * 60 + m1;
        int length = h2 * 60 + m2 - from;
        if (length < 0)
            length += 24 * 60;
        total.night += night_minutes(from, length);
        if (length > 6 * 60 && pause < 30)
            pause = 30;
        int work = length - pause;
        if (strcmp(day, "Sun") == 0)
            work *= 2;
        hours(day, work);
        printf("\n");
        total.minutes += work;
        total.shifts++;
    }
    printf("%d shifts,", total.shifts);
    hours("", total.minutes);
    hours(", night", total.night);
    hours(total.minutes >= WEEK ? ", over" : ", missing", total.minutes >= WEEK ? total.minutes - WEEK : WEEK - total.minutes);
    printf("\n");
    return 0;
}

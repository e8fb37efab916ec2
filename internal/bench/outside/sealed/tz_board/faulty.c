#include <stdio.h>
#include <stdlib.h>

/* Departure boards: converts local times between zones. Zones are minutes east of UTC. */

static const char *day_name[7] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };

struct moment {
    int day;                    /* 0 Monday .. 6 Sunday */
    int hour;
    int minute;
};

/* "+0530", "-03", "-0930" */
static int parse_zone(const char *s)
{
    int sign = 1, hours, minutes = 0;

    if (*s == '-')
        sign = -1;
    if (*s == '-' || *s == '+')
        s++;
    hours = (s[0] - '0') * 10 + (s[1] - '0');
    if (s[2])
        minutes = (s[2] - '0') * 10 + (s[3] - '0');
    return sign * hours * 60 + minutes;
}

static int parse_day(const char *s)
{
    int d;

    for (d = 0; d < 7; d++)
        if (day_name[d][0] == s[0] && day_name[d][1] == s[1] && day_name[d][2] == s[2])
            return d;
    return -1;
}

static struct moment shift(struct moment m, int minutes)
{
    m.minute += minutes;
    if (m.minute >= 60) {
        m.minute -= 60;
        m.hour++;
    }
    while (m.minute < 0) {
        m.minute += 60;
        m.hour--;
    }
    while (m.hour >= 24) {
        m.hour -= 24;
        m.day = (m.day + 1) % 7;
    }
    while (m.hour < 0) {
        m.hour += 24;
        m.day = (m.day + 6) % 7;
    }
    return m;
}

static void print(const char *label, struct moment m)
{
    printf("%s %s %02d:%02d\n", label, day_name[m.day], m.hour, m.minute);
}

/* DAY HH:MM ZONE MINUTES ZONE: departure, its zone, the length of the flight, the zone of arrival */
int main(int argc, char **argv)
{
    struct moment m;
    int from, to, length;

    if (argc != 6) {
        printf("usage: board DAY HH:MM ZONE MINUTES ZONE\n");
        return 2;
    }
    m.day = parse_day(argv[1]);
    if (m.day < 0 || sscanf(argv[2], "%d:%d", &m.hour, &m.minute) != 2
        || m.hour < 0 || m.hour > 23 || m.minute < 0 || m.minute > 59) {
        printf("bad time\n");
        return 1;
    }
    from = parse_zone(argv[3]);
    length = atoi(argv[4]);
    to = parse_zone(argv[5]);
    print("dep", m);
    print("utc", shift(m, -from));
    print("arr", shift(m, length + to - from));
    return 0;
}

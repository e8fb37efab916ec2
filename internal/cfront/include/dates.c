/* strptime, in the C locale. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char *const gulo_days[7] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const gulo_months[12] = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" };
static const short gulo_before[2][13] = { { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 }, { 0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366 } };

struct gulo_date { int pm, hour12, century, year2, wday, xday, yday, mon, mday, uweek, wweek; };

static int gulo_leap(int y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }

/* A decimal number of n digits at most, behind blanks; -1 for none between lo and hi. */
static int gulo_number(const char **s, int lo, int hi, int n)
{
    int v = 0;
    while (**s == ' ')
        ++*s;
    if (!isdigit((unsigned char)**s))
        return -1;
    do
        v = v * 10 + *(*s)++ - '0';
    while (--n > 0 && v * 10 <= hi && isdigit((unsigned char)**s));
    return v < lo || v > hi ? -1 : v;
}

static int gulo_name(const char **s, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        size_t k = strlen(names[i]);
        if (strncasecmp(*s, names[i], k) && strncasecmp(*s, names[i], k = 3))
            continue;
        *s += k;
        return i;
    }
    return -1;
}

static const char *gulo_parse(const char *s, const char *f, struct tm *t, struct gulo_date *d);

static const char *gulo_zone(const char *s, struct tm *t)
{
    int v = 0, n = 0, neg;
    while (isspace((unsigned char)*s))
        s++;
    if (*s == 'Z') {
        t->tm_gmtoff = 0;
        return s + 1;
    }
    if (*s != '+' && *s != '-')
        return NULL;
    neg = *s++ == '-';
    while (n < 4 && isdigit((unsigned char)*s)) {
        v = v * 10 + *s++ - '0';
        if (++n == 2 && *s == ':')
            s++;
    }
    if (n == 2)
        v *= 100;
    else if (n != 4 || v % 100 >= 60)
        return NULL;
    t->tm_gmtoff = v / 100 * 3600 + v % 100 * 60;
    if (neg)
        t->tm_gmtoff = -t->tm_gmtoff;
    return s;
}

/* One conversion; the place behind it, or NULL. */
static const char *gulo_field(const char *s, char kind, struct tm *t, struct gulo_date *d)
{
    int v = 0;
    switch (kind) {
    case '%':
        return *s == '%' ? s + 1 : NULL;
    case 'a': case 'A':
        if ((v = gulo_name(&s, gulo_days, 7)) < 0)
            return NULL;
        t->tm_wday = v;
        d->wday = 1;
        return s;
    case 'b': case 'B': case 'h':
        if ((v = gulo_name(&s, gulo_months, 12)) < 0)
            return NULL;
        t->tm_mon = v;
        d->mon = d->xday = 1;
        return s;
    case 'c':
        d->xday = 1;
        return gulo_parse(s, "%a %b %e %H:%M:%S %Y", t, d);
    case 'C':
        if ((v = gulo_number(&s, 0, 99, 2)) < 0)
            return NULL;
        d->century = v;
        d->xday = 1;
        return s;
    case 'd': case 'e':
        if ((v = gulo_number(&s, 1, 31, 2)) < 0)
            return NULL;
        t->tm_mday = v;
        d->mday = d->xday = 1;
        return s;
    case 'D': case 'x':
        d->xday = 1;
        return gulo_parse(s, "%m/%d/%y", t, d);
    case 'F':
        d->xday = 1;
        return gulo_parse(s, "%Y-%m-%d", t, d);
    case 'k': case 'H':
        if ((v = gulo_number(&s, 0, 23, 2)) < 0)
            return NULL;
        t->tm_hour = v;
        d->hour12 = 0;
        return s;
    case 'l': case 'I':
        if ((v = gulo_number(&s, 1, 12, 2)) < 0)
            return NULL;
        t->tm_hour = v % 12;
        d->hour12 = 1;
        return s;
    case 'j':
        if ((v = gulo_number(&s, 1, 366, 3)) < 0)
            return NULL;
        t->tm_yday = v - 1;
        d->yday = 1;
        return s;
    case 'm':
        if ((v = gulo_number(&s, 1, 12, 2)) < 0)
            return NULL;
        t->tm_mon = v - 1;
        d->mon = d->xday = 1;
        return s;
    case 'M':
        return (v = gulo_number(&s, 0, 59, 2)) < 0 ? NULL : (t->tm_min = v, s);
    case 'S':
        return (v = gulo_number(&s, 0, 61, 2)) < 0 ? NULL : (t->tm_sec = v, s);
    case 'n': case 't':
        while (isspace((unsigned char)*s))
            s++;
        return s;
    case 'p':
        if (strncasecmp(s, "AM", 2) && strncasecmp(s, "PM", 2))
            return NULL;
        d->pm = *s == 'p' || *s == 'P';
        return s + 2;
    case 'r':
        return gulo_parse(s, "%I:%M:%S %p", t, d);
    case 'R':
        return gulo_parse(s, "%H:%M", t, d);
    case 'T': case 'X':
        return gulo_parse(s, "%H:%M:%S", t, d);
    case 's': {
        time_t at = 0;
        if (!isdigit((unsigned char)*s))
            return NULL;
        while (isdigit((unsigned char)*s))
            at = at * 10 + *s++ - '0';
        return localtime_r(&at, t) ? s : NULL;
    }
    case 'u':
        if ((v = gulo_number(&s, 1, 7, 1)) < 0)
            return NULL;
        t->tm_wday = v % 7;
        d->wday = 1;
        return s;
    case 'w':
        if ((v = gulo_number(&s, 0, 6, 1)) < 0)
            return NULL;
        t->tm_wday = v;
        d->wday = 1;
        return s;
    case 'g':
        return gulo_number(&s, 0, 99, 2) < 0 ? NULL : s;
    case 'G':
        if (!isdigit((unsigned char)*s))
            return NULL;
        while (isdigit((unsigned char)*s))
            s++;
        return s;
    case 'U': case 'W':
        if ((v = gulo_number(&s, 0, 53, 2)) < 0)
            return NULL;
        if (kind == 'U')
            d->uweek = v + 1;
        else
            d->wweek = v + 1;
        return s;
    case 'V':
        return gulo_number(&s, 0, 53, 2) < 0 ? NULL : s;
    case 'y':
        if ((v = gulo_number(&s, 0, 99, 2)) < 0)
            return NULL;
        t->tm_year = v >= 69 ? v : v + 100;
        d->year2 = d->xday = 1;
        return s;
    case 'Y':
        if ((v = gulo_number(&s, 0, 9999, 4)) < 0)
            return NULL;
        t->tm_year = v - 1900;
        d->year2 = 0;
        d->century = -1;
        d->xday = 1;
        return s;
    case 'Z':
        while (isspace((unsigned char)*s))
            s++;
        while (*s && !isspace((unsigned char)*s))
            s++;
        return s;
    case 'z':
        return gulo_zone(s, t);
    }
    return NULL;
}

static const char *gulo_parse(const char *s, const char *f, struct tm *t, struct gulo_date *d)
{
    for (; *f; f++) {
        if (isspace((unsigned char)*f)) {
            while (isspace((unsigned char)*s))
                s++;
            continue;
        }
        if (*f != '%') {
            if (*f != *s++)
                return NULL;
            continue;
        }
        f++;
        while (*f == '-' || *f == '_' || *f == '0' || *f == '^' || *f == '#')
            f++;
        if (*f == 'E' || *f == 'O')
            f++;
        if (!(s = gulo_field(s, *f, t, d)))
            return NULL;
    }
    return s;
}

static int gulo_weekday(const struct tm *t)
{
    int y = t->tm_year + 1900 - 1;
    long n = 365L * y + y / 4 - y / 100 + y / 400 + gulo_before[gulo_leap(y + 1)][t->tm_mon] + t->tm_mday;
    return (int)(n % 7);
}

char *strptime(const char *s, const char *f, struct tm *t)
{
    struct gulo_date d = { .century = -1 };
    s = gulo_parse(s, f, t, &d);
    if (!s)
        return NULL;
    if (d.hour12 && d.pm)
        t->tm_hour += 12;
    if (d.century >= 0)
        t->tm_year = (d.year2 ? t->tm_year % 100 : 0) + (d.century - 19) * 100;
    const short *before = gulo_before[gulo_leap(d.xday || d.yday || d.uweek || d.wweek ? t->tm_year + 1900 : 1)];
    if (d.xday && !d.wday) {
        if (!(d.mon && d.mday) && d.yday) {
            int m = 0;
            while (m < 12 && before[m] <= t->tm_yday)
                m++;
            if (!d.mon)
                t->tm_mon = m - 1;
            if (!d.mday)
                t->tm_mday = t->tm_yday - before[m - 1] + 1;
            d.mon = d.mday = 1;
        }
        if ((unsigned)t->tm_mon < 12)
            t->tm_wday = gulo_weekday(t);
    }
    if (d.xday && !d.yday && (unsigned)t->tm_mon < 12)
        t->tm_yday = before[t->tm_mon] + t->tm_mday - 1;
    if ((d.uweek || d.wweek) && d.wday) {
        int wday = t->tm_wday, mon = t->tm_mon, mday = t->tm_mday, offset = d.uweek ? 0 : 1, week = (d.uweek ? d.uweek : d.wweek) - 1;
        t->tm_mday = 1;
        t->tm_mon = 0;
        int first = gulo_weekday(t);
        if (d.mday)
            t->tm_mday = mday;
        if (d.mon)
            t->tm_mon = mon;
        if (!d.yday)
            t->tm_yday = (7 - (first - offset)) % 7 + (week - 1) * 7 + (wday - offset + 7) % 7;
        if (!d.mday || !d.mon) {
            int m = 0;
            while (m < 12 && before[m] <= t->tm_yday)
                m++;
            if (!d.mon)
                t->tm_mon = m - 1;
            if (!d.mday)
                t->tm_mday = t->tm_yday - before[m - 1] + 1;
        }
        t->tm_wday = wday;
    }
    return (char *)s;
}

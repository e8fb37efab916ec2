#include <stdio.h>
#include <stdlib.h>

/* FAT file times: yyyyyyym mmmddddd and hhhhhmmm mmmsssss (seconds / 2) */

struct stamp { int year, month, day, hour, minute, second; };

static unsigned pack(const struct stamp *t)
{
    unsigned date = (unsigned) (t->year - 1980) << 9 | (unsigned) t->month << 5 | (unsigned) t->day;
    unsigned time = (unsigned) t->hour << 11 | (unsigned) t->minute << 5 | (unsigned) t->second / 2;
    return date << 16 | time;
}

static unsigned field(unsigned word, int pos, int width)
{
    return word >> pos & ((1u << width) - 1);
}

static struct stamp unpack(unsigned w)
{
    struct stamp t;
    t.year = 1980 + (int) field(w, 25, 7);
    t.month = (int) field(w, 21, 4);
    t.day = (int) field(w, 16, 5);
    t.hour = (int) field(w, 11, 5);
    t.minute = (int) field(w, 5, 6);
    t.second = 2 * (int) field(w, 0, 5);
    return t;
}

static int parse(const char *s, struct stamp *t)
{
    int n = sscanf(s, "%d-%d-%dT%d:%d:%d", &t->year, &t->month, &t->day, &t->hour, &t->minute, &t->second);
    if (n != 6)
        return 0;
    return t->year >= 1980 && t->year < 2108 && t->month >= 1 && t->month <= 12 && t->day >= 1 && t->day <= 31
        && t->hour >= 0 && t->hour < 24 && t->minute >= 0 && t->minute < 60 && t->second >= 0 && t->second < 60;
}

static void print(const struct stamp *t)
{
    printf("%d-%02d-%02d %02d:%02d:%02d\n", t->year, t->month, t->day, t->hour, t->minute, t->second);
}

int main(int argc, char **argv)
{
    unsigned newest = 0;
    for (int i = 1; i < argc; i++) {
        struct stamp t;
        unsigned w;
        if (!parse(argv[i], &t)) {
            printf("%s is no time\n", argv[i]);
            continue;
        }
        w = pack(&t);
        printf("%08x ", w);
        if (w > newest)
            newest = w;
        t = unpack(w);
        print(&t);
    }
    if (newest) {
        struct stamp t = unpack(newest);
        printf("newest: ");
        print(&t);
    }
    return 0;
}

#include <stdio.h>
#include <string.h>
#include <stdlib.h>

/* the fee hour by hour: hour 0 to 4 of a day cost, the fifth half as much, the others nothing */

struct stay { int begin, end; } s;

static int clock_of(char *text)
{
    char *colon = strchr(text, ':'), *plus = strchr(text, '+');
    int days = 0;
    if (!colon)
        return -1;
    if (plus) {
        days = atoi(plus + 1);
        *plus = '\0';
    }
    int h = atoi(text), m = atoi(colon + 1);
    if (h >= 24 || m >= 60 || h < 0 || m < 0)
        return -1;
    return (days * 24 + h) * 60 + m;
}

static long price(void)
{
    long p = 0;
    if (s.end - s.begin > 15)
        for (int t = s.begin, hour = 0; t < s.end; t += 60, hour++)
            switch (hour % 24) {
            case 0: case 1: case 2: case 3:
                p += 200;
                break;
            case 4:
                p += 100;
            }
    return p;
}

int main(void)
{
    char who[20], a[20], b[20];
    int n = 0, max = 0;
    long all = 0;
    while (scanf("%19s%19s%19s", who, a, b) == 3) {
        s.begin = clock_of(a);
        s.end = clock_of(b);
        if (s.begin < 0 || s.end < 0 || s.end < s.begin) {
            printf("%s: bad times\n", who);
        } else if (s.end / 60 % 24 < 6 || s.end / 60 % 24 > 19) {
            printf("%s: the barrier is closed\n", who);
        } else {
            long p = price();
            int d = s.end - s.begin;
            printf("%s: %d:%02d h, %ld.%02ld\n", who, d / 60, d % 60, p / 100, p % 100);
            n++;
            all += p;
            max = d > max ? d : max;
        }
    }
    printf("%d cars, %ld.%02ld", n, all / 100, all % 100);
    if (n)
        printf(", longest %d minutes", max);
    puts("");
    return 0;
}

#include <stdio.h>
#include <string.h>

/* every minute of the day is marked */

static char taken[24 * 60 + 1];

static void clock(int minute)
{
    printf("%d:%02d", minute / 60, minute % 60);
}

/* prints the stretches between two minutes that are marked (or not); how many minutes */
static int stretches(int from, int to, int mark)
{
    int m = from, count = 0;
    while (m < to) {
        if (taken[m] != mark) {
            m++;
            continue;
        }
        printf(" ");
        clock(m);
        while (m < to && taken[m] == mark) {
            m++;
            count++;
        }
        printf("-");
        clock(m);
    }
    return count;
}

int main(int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        int h, m, h2, m2;
        if (a[0] == '-')
            a++;
        if (sscanf(a, "%d:%d-%d:%d", &h, &m, &h2, &m2) < 4 || (h2 - h) * 60 + m2 - m <= 0) {
            printf("what is %s?\n", argv[i]);
            return 1;
        }
        memset(taken + h * 60 + m, argv[i][0] != '-', (h2 - h) * 60 + m2 - m);
    }
    printf("busy:");
    int sum = stretches(0, 24 * 60, 1);
    printf(" = %d minutes\n", sum);
    printf("free:");
    stretches(8 * 60, 18 * 60, 0);
    printf("\n");
    return 0;
}

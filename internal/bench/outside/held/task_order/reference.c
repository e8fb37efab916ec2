#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 40

static char *names[N];
static int days[N], finished[N], n;
static char needs[N][N];

static int id(const char *s)
{
    for (int k = 0; k < n; k++)
        if (!strcmp(names[k], s))
            return k;
    names[n] = strdup(s);
    finished[n] = -1;
    return n++;
}

/* the day on which k can begin, -1 if something is missing */
static int ready(int k)
{
    int day = 0;
    for (int j = 0; j < n; j++)
        if (needs[k][j]) {
            if (finished[j] < 0)
                return -1;
            if (finished[j] > day)
                day = finished[j];
        }
    return day;
}

int main(void)
{
    char buf[256], a[64], *rest;
    int d, used, total = 0, last = 0;
    while (fgets(buf, sizeof buf, stdin)) {
        if (sscanf(buf, "%63s %d:%n", a, &d, &used) < 2)
            continue;
        int k = id(a), len;
        days[k] = d;
        for (rest = buf + used; sscanf(rest, "%63s%n", a, &len) == 1; rest += len)
            needs[k][id(a)] = 1;
    }
    for (int k = 0; k < n; k++) {
        int begin = finished[k] < 0 ? ready(k) : -1;
        if (begin < 0)
            continue;
        finished[k] = begin + days[k];
        printf("%s day %d\n", names[k], finished[k]);
        total++;
        if (finished[k] > last)
            last = finished[k];
        k = -1;         /* look from the beginning again */
    }
    printf("%d of %d tasks, %d days\n", total, n, last);
    if (total < n) {
        printf("in a circle:");
        for (int k = 0; k < n; k++)
            if (finished[k] < 0)
                printf(" %s", names[k]);
        puts("");
    }
    for (int k = 0; k < n; k++)
        free(names[k]);
    return 0;
}

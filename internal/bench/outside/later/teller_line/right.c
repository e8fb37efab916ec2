#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Customers before the counters of a bank.
   Input: the number of counters, then ARRIVAL MINUTES NAME for each customer, by time of arrival.
   A customer goes to the counter that is free first, the lower number of equal ones. */

#define COUNTERS 4

typedef struct {
    int free_at;        /* from this minute on */
    int served;
    int busy;           /* minutes of work */
} Counter;

typedef struct {
    char name[16];
    int arrival, minutes;
} Customer;

typedef struct {
    int count;
    int total, longest;
    char who[16];       /* who waited longest */
} Waiting;

static int soonest(const Counter *c, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (c[i].free_at < c[best].free_at)
            best = i;
    return best;
}

static int serve(Counter *counter, const Customer *who)
{
    Counter c = *counter;
    int start = c.free_at > who->arrival ? c.free_at : who->arrival;

    c.free_at = start + who->minutes;
    c.served++;
    c.busy += who->minutes;
    *counter = c;
    return start;
}

static void note(Waiting *w, const Customer *who, int minutes)
{
    w->count++;
    w->total += minutes;
    if (minutes > w->longest) {
        w->longest = minutes;
        strcpy(w->who, who->name);
    }
}

int main(void)
{
    Counter counters[COUNTERS] = {{0, 0, 0}};
    Waiting waiting = {0, 0, 0, ""};
    Customer c;
    int n, end = 0, last = 0;

    if (scanf("%d", &n) != 1 || n < 1 || n > COUNTERS) {
        printf("1 to %d counters\n", COUNTERS);
        return 2;
    }
    while (scanf("%d %d %15s", &c.arrival, &c.minutes, c.name) == 3) {
        if (c.arrival < last) {
            printf("%s comes too late\n", c.name);
            continue;
        }
        last = c.arrival;
        int k = soonest(counters, n);
        int start = serve(&counters[k], &c);
        printf("%3d %-8s counter %d, waited %d\n", start, c.name, k + 1, start - c.arrival);
        note(&waiting, &c, start - c.arrival);
        if (start + c.minutes > end)
            end = start + c.minutes;
    }
    for (int i = 0; i < n; i++)
        printf("counter %d: %d customers, %d%% busy\n", i + 1, counters[i].served, end > 0 ? 100 * counters[i].busy / end : 0);
    if (waiting.count > 0)
        printf("waited %.1f on average\n", (double)waiting.total / waiting.count);
    if (waiting.longest > 0)
        printf("%s waited longest, %d\n", waiting.who, waiting.longest);
    return 0;
}

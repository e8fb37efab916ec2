/* A heating's controller: two thresholds, a shortest time on, and a fault latch. */
#include <stdio.h>

#define SHORTEST 3
#define BROKEN 120

static int on;
static int since;
static int fault;

static void step(int temperature, int wanted)
{
    since++;
    if (temperature > BROKEN || temperature < -40) {
        fault = 1;
        on = 0;
        return;
    }
    if (fault)
        return;
    if (!on && temperature < wanted - 1) {
        on = 1;
        since = 0;
    } else if (on && temperature > wanted + 1 && since >= SHORTEST) {
        on = 0;
        since = 0;
    }
}

int run(int first, int time, int t1, int t2, int wanted)
{
    on = first;
    since = time;
    fault = 0;
    step(t1, wanted);
    step(t2, wanted);
    return fault * 1000 + on * 100 + since;
}

int main(void)
{
    printf("%d %d\n", run(0, 0, 15, 25, 20), run(1, 5, 130, 10, 20));
    return 0;
}

#include <stdio.h>
#include <string.h>

/* An elevator that goes on in its direction as long as someone wants something there.
   Requests come as arguments: a number is a floor (0 to 9), '.' lets one tick pass.
   After the last argument it runs until nothing is left to do. */

enum state { IDLE, UP, DOWN, OPEN };

static const char *names[] = { "idle", "up", "down", "open" };

static int wanted[10];
static int floor_now = 0;
static enum state state = IDLE;
static enum state heading = UP;     /* where it goes when the doors close */

static int any_above(void)
{
    for (int f = floor_now + 1; f <= 9; f++)
        if (wanted[f])
            return 1;
    return 0;
}

static int any_below(void)
{
    for (int f = floor_now - 1; f > 0; f--)
        if (wanted[f])
            return 1;
    return 0;
}

static enum state choose(void)
{
    if (wanted[floor_now])
        return OPEN;
    if (heading == UP) {
        if (any_above())
            return UP;
        if (any_below())
            return DOWN;
    } else {
        if (any_below())
            return DOWN;
        if (any_above())
            return UP;
    }
    return IDLE;
}

static void tick(void)
{
    switch (state) {
    case IDLE:
        state = choose();
        break;
    case UP:
        floor_now++;
        heading = UP;
        state = choose();
    case DOWN:
        floor_now--;
        heading = DOWN;
        state = choose();
        break;
    case OPEN:
        wanted[floor_now] = 0;
        state = choose();
        break;
    }
    printf("%d %s\n", floor_now, names[state]);
}

int main(int argc, char **argv)
{
    int ticks = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], ".") == 0) {
            tick();
            ticks++;
        } else if (argv[i][0] >= '0' && argv[i][0] <= '9' && argv[i][1] == '\0') {
            wanted[argv[i][0] - '0'] = 1;
        } else {
            printf("what is %s\n", argv[i]);
            return 1;
        }
    }
    do {
        tick();
        ticks++;
    } while (state != IDLE && ticks < 100);
    printf("%d ticks, ends on %d\n", ticks, floor_now);
    return 0;
}

/* A pedestrian crossing: lights, a button, and how long each light stays. */
#include <stdio.h>

enum light { RED, RED_AMBER, GREEN, AMBER };

static int state;
static int timer;
static int waiting;

static void tick(int button)
{
    if (button && state == GREEN)
        waiting = 1;
    timer++;
    switch (state) {
    case RED:
        if (timer >= 3) {
            state = RED_AMBER;
            timer = 0;
        }
        break;
    case RED_AMBER:
        state = GREEN;
        timer = 0;
        break;
    case GREEN:
        if (waiting && timer >= 4) {
            state = AMBER;
            timer = 0;
            waiting = 0;
        }
        break;
    case AMBER:
        if (timer >= 2) {
            state = RED;
            timer = 0;
        }
        break;
    }
}

int crossing(int light, int time, int asked, int button, int again)
{
    state = light;
    timer = time;
    waiting = asked;
    tick(button);
    tick(again);
    return state * 100 + timer * 10 + waiting;
}

int main(void)
{
    printf("%d %d\n", crossing(RED, 2, 0, 0, 1), crossing(GREEN, 3, 0, 1, 0));
    return 0;
}

/* Advises an aircraft to climb, to descend or to do nothing when another comes too
   near: a controller of the size and kind that collision avoidance systems have. */
#include <stdio.h>

#define RATE_LIMIT 650     /* feet a minute up to which own rate is trusted */
#define NEAR_LIMIT 600     /* feet of separation that call for care */
#define CLEAR_LIMIT 700    /* feet that a manoeuvre must leave */
#define CROSS_MARGIN 100   /* feet added when climbing is not possible */
#define LAYERS 4

enum { NOTHING = 0, CLIMB = 1, DESCEND = 2 };
enum { EQUIPPED = 1, UNEQUIPPED = 2 };
enum { NO_PLAN = 0, PLAN_DOWN = 1, PLAN_UP = 2 };

int separation;      /* vertical, in feet, now */
int confident;       /* the measurements are good */
int valid;           /* two reports agree about the other aircraft */

int own_altitude;
int own_rate;        /* feet a minute, without sign */
int other_altitude;

int layer;           /* of altitude: index of the thresholds */
int thresholds[LAYERS];

int up_gap;          /* separation if own aircraft climbs */
int down_gap;        /* separation if it descends */

int other_plan;      /* what the other aircraft has announced */
int other_kind;
int climb_blocked;

void set_up(void)
{
    thresholds[0] = 400;
    thresholds[1] = 500;
    thresholds[2] = 640;
    thresholds[3] = 740;
}

int required(void)
{
    return thresholds[layer];
}

int climb_gap(void)
{
    return climb_blocked ? up_gap + CROSS_MARGIN : up_gap;
}

int other_above(void)
{
    return own_altitude < other_altitude;
}

int other_below(void)
{
    return other_altitude < own_altitude;
}

int may_climb(void)
{
    int prefer_up;
    int result;

    prefer_up = climb_gap() > down_gap;
    if (prefer_up) {
        result = !other_above() || (other_above() && !(down_gap >= required()));
    } else {
        result = other_below() && separation >= CLEAR_LIMIT && up_gap >= required();
    }
    return result;
}

int may_descend(void)
{
    int prefer_up;
    int result;

    prefer_up = climb_gap() > down_gap;
    if (prefer_up) {
        result = other_above() && separation >= CLEAR_LIMIT && down_gap >= required();
    } else {
        result = !other_below() || (other_below() && up_gap >= required());
    }
    return result;
}

int advice(void)
{
    int enabled, equipped, unclear;
    int need_up, need_down;
    int result;

    enabled = confident && own_rate <= RATE_LIMIT && separation > NEAR_LIMIT;
    equipped = other_kind == EQUIPPED;
    unclear = valid && other_plan == NO_PLAN;
    result = NOTHING;

    if (enabled && ((equipped && unclear) || !equipped)) {
        need_up = may_climb() && other_plan != PLAN_UP;
        need_down = may_descend() && other_plan != PLAN_DOWN;
        if (need_up && need_down) {
            result = NOTHING;
        } else if (need_up) {
            result = CLIMB;
        } else if (need_down) {
            result = DESCEND;
        } else {
            result = NOTHING;
        }
    }
    return result;
}

int advise(int now, int good, int agree, int own, int rate, int other, int level, int up, int down, int plan, int kind, int blocked)
{
    set_up();
    separation = now;
    confident = good;
    valid = agree;
    own_altitude = own;
    own_rate = rate;
    other_altitude = other;
    layer = level;
    if (layer < 0)
        layer = 0;
    if (layer > LAYERS - 1)
        layer = LAYERS - 1;
    up_gap = up;
    down_gap = down;
    other_plan = plan;
    other_kind = kind;
    climb_blocked = blocked;
    return advice();
}

static int number(const char *text)
{
    int sign = 1, n = 0;

    if (*text == '-') {
        sign = -1;
        text++;
    }
    while (*text >= '0' && *text <= '9')
        n = 10 * n + (*text++ - '0');
    return sign * n;
}

int main(int argc, char **argv)
{
    int a[12];

    if (argc != 13) {
        printf("usage: %s NOW GOOD AGREE OWN RATE OTHER LEVEL UP DOWN PLAN KIND BLOCKED\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < 12; i++)
        a[i] = number(argv[i + 1]);
    switch (advise(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11])) {
    case CLIMB:
        puts("climb");
        break;
    case DESCEND:
        puts("descend");
        break;
    default:
        puts("nothing");
        break;
    }
    return 0;
}

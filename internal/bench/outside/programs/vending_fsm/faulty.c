#include <stdio.h>
#include <string.h>
#include <stdlib.h>

enum state { IDLE, COINS, SERVING, BROKEN };

struct machine {
    enum state state;
    int credit;
    int cups;
    int takings;
};

#define PRICE 30

static const char *name(enum state s)
{
    switch (s) {
    case IDLE: return "idle";
    case COINS: return "coins";
    case SERVING: return "serving";
    default: return "broken";
    }
}

static void coin(struct machine *m, int value)
{
    switch (m->state) {
    case IDLE:
    case COINS:
        m->credit += value;
        m->state = COINS;
        break;
    default:
        printf("  %d back\n", value);
    }
}

static void select_drink(struct machine *m)
{
    if (m->state != COINS || m->credit < PRICE) {
        printf("  %d missing\n", PRICE - m->credit);
        return;
    }
    m->state = SERVING;
    m->cups--;
    m->takings += PRICE;
    m->credit -= PRICE;
}

static void event(struct machine *m, const char *e)
{
    switch (e[0]) {
    case 'c':
        coin(m, atoi(e + 1));
        break;
    case 's':
        select_drink(m);
        break;
    case 'r':
        m->credit = 0;
        if (m->credit > 0)
            printf("  %d back\n", m->credit);
        if (m->state == COINS)
            m->state = IDLE;
        break;
    case 't':
        if (m->state == SERVING) {
            if (m->cups == 0)
                m->state = BROKEN;
            else
                m->state = IDLE;
        }
        break;
    default:
        printf("  %s?\n", e);
    }
}

int main(int argc, char **argv)
{
    struct machine m = { IDLE, 0, 2, 0 };
    for (int i = 1; i < argc; i++) {
        event(&m, argv[i]);
        printf("%s: %s, credit %d\n", argv[i], name(m.state), m.credit);
    }
    printf("%d cups, %d taken\n", m.cups, m.takings);
    return 0;
}

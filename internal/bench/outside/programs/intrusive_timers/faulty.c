/* Timers hang in two lists at once: all of them, and those that are armed. */
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>

typedef struct Hook { struct Hook *next; } Hook;

typedef struct {
    int id;
    long due;
    Hook all;
    Hook armed;
} Timer;

#define FROM_ALL(h)   ((Timer *) ((char *) (h) - offsetof(Timer, all)))
#define FROM_ARMED(h) ((Timer *) ((char *) (h) - offsetof(Timer, armed)))

static Hook allTimers, armedTimers;

static Timer *findTimer(int id)
{
    for (Hook *h = allTimers.next; h; h = h->next)
        if (FROM_ALL(h)->id == id)
            return FROM_ALL(h);
    return NULL;
}

static Timer *createTimer(int id)
{
    Timer *t = calloc(1, sizeof(Timer));
    t->id = id;
    t->due = -1;
    t->all.next = allTimers.next;
    allTimers.next = &t->all;
    return t;
}

static void disarm(Timer *t)
{
    for (Hook *h = &armedTimers; h->next; h = h->next)
        if (h->next == &t->armed)
        {
            h->next = t->armed.next;
            break;
        }
    t->due = -1;
}

static void arm(Timer *t, long due)
{
    Hook *h = &armedTimers;
    t->due = due;
    while (h->next && FROM_ARMED(h->next)->due < due)
        h = h->next;
    t->armed.next = h->next;
    h->next = &t->armed;
}

static void tick(long now)
{
    while (armedTimers.next && FROM_ARMED(armedTimers.next)->due <= now)
    {
        Timer *t = FROM_ARMED(armedTimers.next);
        printf("%ld: timer %d\n", now, t->id);
        disarm(t);
    }
}

int main(int argc, char **argv)
{
    long now = 0;
    for (int i = 1; i < argc; i++)
    {
        int id, delay;
        if (sscanf(argv[i], "%d@%d", &id, &delay) == 2 && delay >= 0)
        {
            Timer *t = findTimer(id);
            arm(t ? t : createTimer(id), now + delay);
        }
        else if (sscanf(argv[i], "x%d", &id) == 1)
        {
            Timer *t = findTimer(id);
            if (t)
                disarm(t);
        }
        else if (sscanf(argv[i], "+%d", &delay) == 1)
        {
            for (int k = 0; k < delay && k < 50; k++)
                tick(++now);
        }
    }
    int left = 0;
    for (Hook *h = allTimers.next; h; h = h->next)
        left += FROM_ALL(h)->due >= 0;
    printf("%d armed at %ld\n", left, now);
    while (allTimers.next)
    {
        Timer *t = FROM_ALL(allTimers.next);
        allTimers.next = t->all.next;
        free(t);
    }
    return 0;
}

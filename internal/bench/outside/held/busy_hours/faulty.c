#include <stdio.h>
#include <stdlib.h>

/*
 * busy_hours: the appointments of a day, "H:MM-H:MM" each, are kept as a list of busy
 * times that neither overlap nor touch.  Then the busy and the free times of the day
 * (8:00 to 18:00) are printed.  An appointment with a minus before it is cancelled time.
 */

typedef struct span {
    int from, to;           /* minutes, to is not busy any more */
    struct span *next;
} Span;

static Span *make(int from, int to, Span *next)
{
    Span *s = malloc(sizeof *s);
    s->from = from;
    s->to = to;
    s->next = next;
    return s;
}

static Span *add(Span *list, int from, int to)
{
    Span **p = &list;

    while (*p && (*p)->to < from)
        p = &(*p)->next;
    /* swallow all that overlap or touch */
    while (*p && (*p)->from <= to) {
        Span *s = *p;
        if (s->from < from)
            from = s->from;
        *p = s->next;
        free(s);
    }
    *p = make(from, to, *p);
    return list;
}

static Span *cut(Span *list, int from, int to)
{
    Span **p = &list;

    while (*p) {
        Span *s = *p;
        if (s->to <= from || s->from >= to) {
            p = &s->next;
        } else if (s->from < from && s->to > to) {      /* a hole */
            s->to = from;
            s->next = make(to, s->to, s->next);
            p = &s->next;
        } else if (s->from < from) {
            s->to = from;
            p = &s->next;
        } else if (s->to > to) {
            s->from = to;
            p = &s->next;
        } else {
            *p = s->next;
            free(s);
        }
    }
    return list;
}

static void print_span(int from, int to)
{
    printf(" %d:%02d-%d:%02d", from / 60, from % 60, to / 60, to % 60);
}

int main(int argc, char **argv)
{
    Span *busy = NULL, *s;
    int i, sum = 0, day = 8 * 60;

    for (i = 1; i < argc; i++) {
        char *t = argv[i];
        int h1, m1, h2, m2, minus = *t == '-';

        if (sscanf(t + minus, "%d:%d-%d:%d", &h1, &m1, &h2, &m2) != 4 || 60 * h1 + m1 >= 60 * h2 + m2) {
            printf("what is %s?\n", t);
            return 1;
        }
        if (minus)
            busy = cut(busy, 60 * h1 + m1, 60 * h2 + m2);
        else
            busy = add(busy, 60 * h1 + m1, 60 * h2 + m2);
    }
    printf("busy:");
    for (s = busy; s; s = s->next) {
        print_span(s->from, s->to);
        sum += s->to - s->from;
    }
    printf(" = %d minutes\nfree:", sum);
    for (s = busy; s; s = s->next) {
        if (s->from > day)
            print_span(day, s->from);
        day = s->to;
    }
    if (day < 18 * 60)
        print_span(day, 18 * 60);
    printf("\n");
    while (busy) {
        s = busy->next;
        free(busy);
        busy = s;
    }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A wall of parcel boxes.  A parcel with number N goes into box N mod SIZE, counted so
   that negative numbers (returned parcels) fall into 0..SIZE-1, too, or into the next
   free box after it, round the corner if need be.  An emptied box stays marked so that
   parcels behind it are found. */

#define SIZE 7

enum { FREE, TAKEN, EMPTIED };

struct wall {
    char title[16];
    int parcels;
    int state[SIZE];
    int number[SIZE];
};

int home(int number)
{
    int h = number % SIZE;
    if (h < 0)
        h += SIZE;
    return h;
}

int search(struct wall *w, int number)
{
    int i, at = home(number);

    for (i = 0; i < SIZE; i++) {
        if (w->state[at] == FREE)
            return -1;
        if (w->state[at] == TAKEN && w->number[at] == number)
            return at;
        at = (at + 1) % SIZE;
    }
    return -1;
}

void put(struct wall *w, int number)
{
    int at = search(w, number);

    if (at >= 0) {
        printf("%d is in box %d already\n", number, at);
        return;
    }
    if (w->parcels == SIZE) {
        printf("no box for %d\n", number);
        return;
    }
    at = home(number);
    while (w->state[at] == TAKEN)
        at = (at + 1) % SIZE;
    w->state[at] = TAKEN;
    w->number[at] = number;
    w->parcels++;
    printf("%d into box %d\n", number, at);
}

void take(struct wall *w, int number)
{
    int at = search(w, number);

    if (at < 0) {
        printf("%d is not here\n", number);
        return;
    }
    w->state[at] = EMPTIED;
    w->parcels--;
    printf("%d out of box %d\n", number, at);
}

int main(void)
{
    struct wall *w = calloc(1, sizeof *w);
    char what[2];
    int number, i;

    strcpy(w->title, "Station");
    while (scanf("%1s %d", what, &number) == 2) {
        if (what[0] == '+')
            put(w, number);
        else
            take(w, number);
    }
    printf("%s:", w->title);
    for (i = 0; i < SIZE; i++)
        if (w->state[i] == TAKEN)
            printf(" %d", w->number[i]);
        else
            printf(" .");
    printf(" (%d)\n", w->parcels);
    free(w);
    return 0;
}

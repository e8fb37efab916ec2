#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bookings of three rooms. A stay is from the night FROM to the morning of TO.
//   FROM TO NAME      takes the first room that is free
//   cancel NAME       all stays of that name
// At the end the plan of each room is printed in order of time.

typedef struct Stay
{
    int from, to;
    char name[12];
    struct Stay *next;
} Stay;

static Stay *rooms[3];

static int overlaps(const Stay *s, int from, int to)
{
    return s->from < to && from <= s->to;
}

static int isFree(const Stay *list, int from, int to)
{
    for (; list != NULL; list = list->next)
        if (overlaps(list, from, to))
            return 0;
    return 1;
}

/* puts a stay into a list that is in order, and gives back its new head */
static Stay *insertStay(Stay *list, int from, int to, const char *name)
{
    Stay *s = malloc(sizeof(Stay));
    Stay *p = list;

    s->from = from;
    s->to = to;
    strcpy(s->name, name);
    if (list == NULL || from < list->from)
    {
        s->next = list;
        return s;
    }
    while (p->next != NULL && p->next->from < from)
        p = p->next;
    s->next = p->next;
    p->next = s;
    return list;
}

static Stay *removeStays(Stay *list, const char *name, int *removed)
{
    Stay *rest;

    if (list == NULL)
        return NULL;
    rest = removeStays(list->next, name, removed);
    if (strcmp(list->name, name) == 0)
    {
        ++*removed;
        free(list);
        return rest;
    }
    return list;
}

int main(void)
{
    char word[12], name[12];
    int r, to;

    while (scanf("%11s", word) == 1)
    {
        if (strcmp(word, "cancel") == 0)
        {
            int removed = 0;
            if (scanf("%11s", name) != 1)
                break;
            for (r = 0; r < 3; r++)
                rooms[r] = removeStays(rooms[r], name, &removed);
            printf("%s: %d cancelled\n", name, removed);
            continue;
        }
        if (scanf("%d %11s", &to, name) != 2)
            break;
        int from = atoi(word);
        if (from >= to)
        {
            printf("%s: no nights\n", name);
            continue;
        }
        for (r = 0; r < 3 && !isFree(rooms[r], from, to); r++)
            ;
        if (r == 3)
        {
            printf("%s: all taken\n", name);
            continue;
        }
        rooms[r] = insertStay(rooms[r], from, to, name);
        printf("%s: room %d\n", name, r + 1);
    }
    for (r = 0; r < 3; r++)
    {
        int nights = 0;
        printf("room %d:", r + 1);
        while (rooms[r] != NULL)
        {
            Stay *s = rooms[r];
            printf(" %s %d-%d", s->name, s->from, s->to);
            nights += s->to - s->from;
            rooms[r] = s->next;
            free(s);
        }
        printf(" (%d nights)\n", nights);
    }
    return 0;
}

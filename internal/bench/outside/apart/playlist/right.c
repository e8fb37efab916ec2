#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A playlist.  One command a line:
 *   add SONG SECONDS     behind the last
 *   insert SONG SECONDS  behind the one that plays
 *   next, back           plays another; at the ends nothing changes
 *   remove               the one that plays; then the one behind it plays, or the last
 *   list
 */

typedef struct song {
    char title[24];
    int seconds;
    struct song *prev, *next;
} Song;

typedef struct {
    Song *first, *last, *now;
} Playlist;

Song *new_song(const char *title, int seconds)
{
    Song *s = malloc(sizeof(Song));
    strncpy(s->title, title, sizeof s->title - 1);
    s->title[sizeof s->title - 1] = '\0';
    s->seconds = seconds;
    s->prev = s->next = NULL;
    return s;
}

/* NULL for p: in front */
void insert_after(Playlist *l, Song *p, Song *s)
{
    s->prev = p;
    s->next = p ? p->next : l->first;
    if (s->next)
        s->next->prev = s;
    else
        l->last = s;
    if (p)
        p->next = s;
    else
        l->first = s;
    if (!l->now)
        l->now = s;
}

void remove_now(Playlist *l)
{
    Song *s = l->now;
    if (!s)
        return;
    if (s->prev)
        s->prev->next = s->next;
    else
        l->first = s->next;
    if (s->next)
        s->next->prev = s->prev;
    else
        l->last = s->prev;
    l->now = s->next ? s->next : l->last;
    free(s);
}

void list(const Playlist *l)
{
    int total = 0;
    for (Song *s = l->first; s; s = s->next) {
        printf("%c %s %d:%02d\n", s == l->now ? '>' : ' ', s->title, s->seconds / 60, s->seconds % 60);
        total += s->seconds;
    }
    printf("= %d:%02d\n", total / 60, total % 60);
}

int main(void)
{
    Playlist l = {NULL, NULL, NULL};
    char line[100], cmd[10], title[80];
    int seconds;

    while (fgets(line, sizeof line, stdin)) {
        int n = sscanf(line, "%9s %79s %d", cmd, title, &seconds);
        if (n == 3 && strcmp(cmd, "add") == 0)
            insert_after(&l, l.last, new_song(title, seconds));
        else if (n == 3 && strcmp(cmd, "insert") == 0)
            insert_after(&l, l.now, new_song(title, seconds));
        else if (n == 1 && strcmp(cmd, "next") == 0 && l.now && l.now->next)
            l.now = l.now->next;
        else if (n == 1 && strcmp(cmd, "back") == 0 && l.now && l.now->prev)
            l.now = l.now->prev;
        else if (n == 1 && strcmp(cmd, "remove") == 0)
            remove_now(&l);
        else if (n == 1 && strcmp(cmd, "list") == 0)
            list(&l);
    }
    printf("now: %s\n", l.now ? l.now->title : "nothing");
    while (l.now)
        remove_now(&l);
    return 0;
}

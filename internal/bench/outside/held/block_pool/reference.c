#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* only the lengths matter: every note takes a block for each four characters begun */

typedef struct note {
    char *name, *text;
    struct note *next;
} Note;

static Note *notes;

static int blocks(const char *s) { return (strlen(s) + 3) / 4; }

static int count(int *free_blocks)
{
    int n = 0;
    *free_blocks = 10;
    for (Note *x = notes; x; x = x->next, n++)
        *free_blocks -= blocks(x->text);
    return n;
}

static Note **locate(const char *name)
{
    Note **p = &notes;
    while (*p && strcmp((*p)->name, name))
        p = &(*p)->next;
    return p;
}

static void erase(Note **p)
{
    Note *x = *p;
    *p = x->next;
    free(x->name);
    free(x->text);
    free(x);
}

int main(void)
{
    char verb[20], name[20], text[100];
    int room;
    while (scanf("%19s", verb) == 1) {
        if (verb[1] == 't') {
            count(&room);
            printf("%d blocks free\n", room);
            continue;
        }
        scanf("%19s", name);
        Note **at = locate(name);
        if (verb[0] == 's') {
            scanf("%99s", text);
            if (*at)
                erase(at);
            if (count(&room) == 8 || blocks(text) > room) {
                printf("no room for %s\n", name);
                continue;
            }
            Note *x = malloc(sizeof *x);
            x->name = strdup(name);
            x->text = strdup(text);
            x->next = notes;
            notes = x;
        } else if (!*at) {
            printf("no %s\n", name);
        } else if (verb[0] == 'f') {
            erase(at);
        } else {
            printf("%s: %s\n", name, (*at)->text);
        }
    }
    count(&room);
    printf("%d blocks free\n", room);
    while (notes)
        erase(&notes);
    return 0;
}

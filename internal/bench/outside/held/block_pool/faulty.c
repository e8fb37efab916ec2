#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Notes of any length in a pool of small blocks.  A note is a chain of blocks, free blocks
 * are a chain, too, all by their numbers.
 *
 *   save NAME TEXT    forget NAME    read NAME    stat
 *
 * A note that does not fit is refused as a whole.  Saving under a known name replaces. */

#define BLOCKS 10
#define PART 4
#define NOTES 8
#define NONE -1

struct { char part[PART]; int used; int next; } pool[BLOCKS];
int free_head, free_count;

struct { char name[12]; int first; } note[NOTES];

void init(void)
{
    int i;
    for (i = 0; i < BLOCKS; i++)
        pool[i].next = i + 1 < BLOCKS ? i + 1 : NONE;
    free_head = 0;
    free_count = BLOCKS;
    for (i = 0; i < NOTES; i++)
        note[i].first = NONE;
}

int get_block(void)
{
    int b = free_head;
    free_head = pool[b].next;
    free_count--;
    pool[b].next = NONE;
    return b;
}

void release(int first)
{
    int b = first, next;
    while (b != NONE) {
        next = pool[b].next;
        pool[b].next = free_head;
        free_head = b;
        b = next;
    }
    free_count++;
}

int find(const char *name)
{
    int i;
    for (i = 0; i < NOTES; i++)
        if (note[i].first != NONE && strcmp(note[i].name, name) == 0)
            return i;
    return NONE;
}

void forget(const char *name)
{
    int i = find(name);
    if (i == NONE) {
        printf("no %s\n", name);
        return;
    }
    release(note[i].first);
    note[i].first = NONE;
}

void save(const char *name, const char *text)
{
    int need = (strlen(text) + PART - 1) / PART, left = strlen(text);
    int i = find(name), last = NONE;
    if (i != NONE)
        forget(name);
    for (i = 0; i < NOTES && note[i].first != NONE; i++)
        ;
    if (need > free_count || i == NOTES) {
        printf("no room for %s\n", name);
        return;
    }
    strcpy(note[i].name, name);
    while (left > 0) {
        int b = get_block();
        int n = left < PART ? left : PART;
        memcpy(pool[b].part, text, n);
        pool[b].used = n;
        text += n;
        left -= n;
        if (last == NONE)
            note[i].first = b;
        else
            pool[last].next = b;
        last = b;
    }
}

void show(const char *name)
{
    int i = find(name), b;
    if (i == NONE) {
        printf("no %s\n", name);
        return;
    }
    printf("%s: ", name);
    for (b = note[i].first; b != NONE; b = pool[b].next)
        printf("%.*s", pool[b].used, pool[b].part);
    printf("\n");
}

int main(void)
{
    char cmd[10], name[12], text[80];

    init();
    while (scanf("%9s", cmd) == 1) {
        if (strcmp(cmd, "stat") == 0) {
            printf("%d blocks free\n", free_count);
            continue;
        }
        if (scanf("%11s", name) != 1)
            return 1;
        if (strcmp(cmd, "save") == 0 && scanf("%79s", text) == 1)
            save(name, text);
        else if (strcmp(cmd, "forget") == 0)
            forget(name);
        else if (strcmp(cmd, "read") == 0)
            show(name);
    }
    printf("%d blocks free\n", free_count);
    return 0;
}

#include <stdio.h>
#include <string.h>
#include "list.h"

struct entry {
    char tag[4];
    int used;
};

int odd_sum(int n);

static struct entry entries[LIMIT];

static int enter(const char *tag)
{
    for (int i = 0; i < LIMIT; i++)
        if (!entries[i].used) {
            entries[i].used = 1;
            strncpy(entries[i].tag, tag, sizeof entries[i].tag - 1);
            return i;
        }
    return -1;
}

int main(int argc, char **argv)
{
    struct item *head = NULL;
    for (int i = 1; i < argc; i++)
        head = list_add(head, argv[i], (int)strlen(argv[i]));
    head = list_sort(head);
    enter("a");
    printf("%s: %d %d %d %.1f\n", GREETING, LIMIT, list_room(), odd_sum(4), list_mean(head));
    for (struct item *p = head; p; p = p->next)
        printf("%s\n", p->name);
    return enter("b") != 1;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Telephone numbers by name, in a hash table with chains.
 *
 *   add NAME NUMBER     adds the name or changes its number
 *   find NAME
 *   drop NAME
 *   all                 everybody by name
 */

#define BUCKETS 5
#define MAXNAME 31

typedef struct contact {
    char name[MAXNAME + 1];
    long number;
    struct contact *next;
} Contact;

Contact *table[BUCKETS];
int count;

unsigned bucket(const char *s)
{
    unsigned h = 0;
    while (*s)
        h += (unsigned char)*s++;
    return h % BUCKETS;
}

Contact *lookup(const char *name)
{
    Contact *c = table[bucket(name)];
    while (c && strcmp(c->name, name) != 0)
        c = c->next;
    return c;
}

void add(const char *name, long number)
{
    Contact *c = lookup(name);
    if (c) {
        printf("%s was %ld\n", name, c->number);
        c->number = number;
        return;
    }
    c = malloc(sizeof *c);
    strcpy(c->name, name);
    c->number = number;
    c->next = table[bucket(name)];
    table[bucket(name)] = c;
    count++;
}

void drop(const char *name)
{
    Contact **p = &table[bucket(name)];
    while (*p && strcmp((*p)->name, name) != 0)
        p = &(*p)->next;
    if (!*p) {
        printf("no %s\n", name);
        return;
    }
    Contact *gone = *p;
    *p = gone->next;
    free(gone);
    count--;
}

int by_name(const void *a, const void *b)
{
    return strcmp((*(Contact *const *)a)->name, (*(Contact *const *)b)->name);
}

void all(void)
{
    Contact **list = malloc((count + 1) * sizeof *list);
    int n = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (Contact *c = table[i]; c; c = c->next)
            list[n++] = c;
    qsort(list, n, sizeof *list, by_name);
    printf("%d contacts\n", n);
    for (int i = 0; i < n; i++)
        printf("  %-8s %ld\n", list[i]->name, list[i]->number);
    free(list);
}

int main(void)
{
    char cmd[10], name[MAXNAME + 1];
    long number;

    while (scanf("%9s", cmd) == 1) {
        if (!strcmp(cmd, "all")) {
            all();
            continue;
        }
        if (scanf("%31s", name) != 1)
            break;
        if (!strcmp(cmd, "add") && scanf("%ld", &number) == 1) {
            add(name, number);
        } else if (!strcmp(cmd, "find")) {
            Contact *c = lookup(name);
            if (c)
                printf("%s: %ld\n", c->name, c->number);
            else
                printf("no %s\n", name);
        } else if (!strcmp(cmd, "drop")) {
            drop(name);
        }
    }
    for (int i = 0; i < BUCKETS; i++)
        while (table[i]) {
            Contact *c = table[i];
            table[i] = c->next;
            free(c);
        }
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Disk usage of a tree of folders.
 *
 * Each line is a path with a size ("home/ann/notes 12"); folders are made as they are
 * named.  Prints the tree with the total of every folder, entries in the order they were
 * named first, then the greatest folder below the root. */

struct entry {
    char name[20];
    long own;               /* size given for it */
    struct entry *child;    /* first inside */
    struct entry *next;     /* next in the same folder */
};

static struct entry *new_entry(const char *name)
{
    struct entry *e = calloc(1, sizeof *e);
    strncpy(e->name, name, sizeof e->name - 1);
    return e;
}

static struct entry *enter(struct entry *folder, const char *name)
{
    struct entry *e, *last = NULL;

    for (e = folder->child; e != NULL; e = e->next) {
        if (strcmp(e->name, name) == 0)
            return e;
        last = e;
    }
    e = new_entry(name);
    if (last == NULL)
        folder->child = e;
    else
        last->next = e;
    return e;
}

static long total(const struct entry *e)
{
    long sum = e->own;
    const struct entry *c;

    for (c = e->child; c != NULL; c = c->next)
        sum += total(c);
    return sum;
}

static void print(const struct entry *e, int depth)
{
    const struct entry *c;

    printf("%*s%s%s %ld\n", 2 * depth, "", e->name, e->child != NULL ? "/" : "", total(e));
    for (c = e->child; c != NULL; c = c->next)
        print(c, depth + 1);
}

static const struct entry *greatest(const struct entry *e, const struct entry *best)
{
    const struct entry *c;

    for (c = e->child; c != NULL; c = c->next) {
        if (c->child != NULL && (best == NULL || total(c) > total(best)))
            best = c;
        best = greatest(c, best);
    }
    return best;
}

static void destroy(struct entry *e)
{
    while (e->child != NULL) {
        struct entry *c = e->child;
        e->child = c->next;
        destroy(c);
    }
    free(e);
}

int main(void)
{
    struct entry *root = new_entry("");
    const struct entry *g;
    char path[200];
    long size;

    while (scanf("%199s %ld", path, &size) == 2) {
        struct entry *at = root;
        char *part;
        for (part = strtok(path, "/"); part != NULL; part = strtok(NULL, "/"))
            at = enter(at, part);
        at->own += size;
    }
    print(root, 0);
    g = greatest(root, NULL);
    if (g != NULL)
        printf("greatest folder: %s with %ld\n", g->name, total(g));
    destroy(root);
    return 0;
}

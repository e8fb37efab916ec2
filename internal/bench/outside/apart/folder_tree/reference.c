#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries in a table, each with its parent's number; a size is added to all above it. */

#define MOST 400

static char name[MOST][64];
static int parent[MOST], inside[MOST], entries = 1;
static long size[MOST];

static int lookup(int folder, const char *s, int len)
{
    for (int i = 1; i < entries; i++)
        if (parent[i] == folder && (int)strlen(name[i]) == len && memcmp(name[i], s, len) == 0)
            return i;
    memcpy(name[entries], s, len);
    parent[entries] = folder;
    inside[folder]++;
    return entries++;
}

static int best = 0;

static void show(int e, int indent)
{
    for (int i = 0; i < indent; i++)
        putchar(' ');
    printf("%s%s %ld\n", name[e], inside[e] ? "/" : "", size[e]);
    if (e != 0 && inside[e] && (best == 0 || size[e] > size[best]))
        best = e;
    for (int i = e + 1; i < entries; i++)
        if (parent[i] == e)
            show(i, indent + 2);
}

int main(void)
{
    char path[256];
    long n;
    while (scanf("%255s", path) == 1 && scanf("%ld", &n) == 1) {
        int e = 0;
        char *s = path;
        while (*s) {
            int len = strcspn(s, "/");
            if (len > 0)
                e = lookup(e, s, len);
            s += len;
            if (*s)
                s++;
        }
        for (int up = e; up > 0; up = parent[up])
            size[up] += n;
        size[0] += n;
    }
    show(0, 0);
    if (best)
        printf("greatest folder: %s with %ld\n", name[best], size[best]);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Interned strings with reference counts. */

#define NBUCKETS 5

struct interned {
    struct interned *next;
    int refs;
    char text[];
};

static struct interned *buckets[NBUCKETS];
static int live;

static unsigned bucket_of(const char *s)
{
    unsigned h = 5381;

    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h % NBUCKETS;
}

static struct interned *intern(const char *s)
{
    unsigned b = bucket_of(s);
    struct interned *p;

    for (p = buckets[b]; p; p = p->next) {
        if (strcmp(p->text, s) == 0) {
            p->refs++;
            return p;
        }
    }
    p = malloc(sizeof *p + strlen(s) + 1);
    strcpy(p->text, s);
    p->refs = 1;
    p->next = buckets[b];
    buckets[b] = p;
    live++;
    return p;
}

static void release(const char *s)
{
    unsigned b = bucket_of(s);
    struct interned *p, *prev = NULL;

    for (p = buckets[b]; p; p = p->next) {
        if (strcmp(p->text, s) == 0)
            break;
    }
    if (p == NULL) {
        printf("%s: not interned\n", s);
        return;
    }
    if (--p->refs > 0)
        return;
    if (prev)
        prev->next = p->next;
    else
        buckets[b] = p->next;
    free(p);
    live--;
}

static void list(void)
{
    int i;
    struct interned *p;

    for (i = 0; i < NBUCKETS; i++) {
        if (buckets[i] == NULL)
            continue;
        printf("%d:", i);
        for (p = buckets[i]; p; p = p->next)
            printf(" %s*%d", p->text, p->refs);
        printf("\n");
    }
}

static void clear(void)
{
    int i;

    for (i = 0; i < NBUCKETS; i++)
        while (buckets[i]) {
            struct interned *p = buckets[i];
            buckets[i] = p->next;
            free(p);
        }
}

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            release(argv[i] + 1);
        else
            intern(argv[i]);
    }
    printf("%d live\n", live);
    list();
    clear();
    return 0;
}

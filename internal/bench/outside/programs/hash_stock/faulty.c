#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 7

struct item {
    char *name;
    int qty;
    struct item *next;
};

static struct item *table[BUCKETS];

static unsigned hash(const char *s)
{
    unsigned h = 0;
    while (*s)
        h = h * 31 + (unsigned char) *s++;
    return h % BUCKETS;
}

static struct item *lookup(const char *name)
{
    struct item *it;
    for (it = table[hash(name)]; it != NULL; it = it->next)
        if (strcmp(it->name, name) == 0)
            return it;
    return NULL;
}

static void stock(const char *name, int qty)
{
    struct item *it = lookup(name);
    if (it != NULL) {
        it->qty += qty;
        return;
    }
    it = malloc(sizeof *it);
    it->name = malloc(strlen(name) + 1);
    strcpy(it->name, name);
    it->qty = qty;
    it->next = table[hash(name)];
    table[hash(name)] = it;
}

static int discard(const char *name)
{
    unsigned h = hash(name);
    struct item *it, *prev = NULL;

    for (it = table[h]; it != NULL; it = it->next) {
        if (strcmp(it->name, name) == 0) {
            if (prev != NULL)
                prev->next = it->next;
            else
                table[h] = NULL;
            free(it->name);
            free(it);
            return 1;
        }
        prev = it;
    }
    return 0;
}

static int total(void)
{
    int i, sum = 0;
    struct item *it;
    for (i = 0; i < BUCKETS; i++)
        for (it = table[i]; it != NULL; it = it->next)
            sum += it->qty;
    return sum;
}

int main(int argc, char **argv)
{
    int i;
    for (i = 1; i + 1 < argc; i += 2) {
        int n = atoi(argv[i + 1]);
        if (n > 0)
            stock(argv[i], n);
        else if (!discard(argv[i]))
            printf("no %s to discard\n", argv[i]);
    }
    for (i = 0; i < BUCKETS; i++) {
        struct item *it = table[i];
        while (it != NULL) {
            struct item *next = it->next;
            printf("%d %s %d\n", i, it->name, it->qty);
            it = next;
        }
    }
    printf("total %d\n", total());
    for (i = 0; i < BUCKETS; i++)
        while (table[i] != NULL)
            discard(table[i]->name);
    return 0;
}

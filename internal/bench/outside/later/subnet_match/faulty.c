#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

// A routing table: "route 10.1.0.0/16 name", "drop 10.1.0.0/16", "to 10.1.2.3".
// The longest prefix that fits is taken.

typedef struct Route {
    uint32_t net;
    int bits;
    char name[12];
    struct Route *next;
} Route;

static Route *table = NULL;

static int parseAddress(const char *s, uint32_t *address)
{
    unsigned a, b, c, d;
    if (sscanf(s, "%u.%u.%u.%u", &a, &b, &c, &d) != 4)
        return 0;
    if (a > 255 || b > 255 || c > 255 || d > 255)
        return 0;
    *address = a << 24 | b << 16 | c << 8 | d;
    return 1;
}

static uint32_t mask(int bits)
{
    return bits == 0 ? 0 : 0xffffffffu << (32 - bits);
}

static int parseNet(char *s, uint32_t *net, int *bits)
{
    char *slash = strchr(s, '/');
    if (slash == NULL)
        return 0;
    *slash = '\0';
    *bits = atoi(slash + 1);
    if (*bits < 0 || *bits > 32 || !parseAddress(s, net))
        return 0;
    *net &= mask(*bits);
    return 1;
}

static const Route *lookup(uint32_t address)
{
    const Route *best = NULL;
    for (const Route *r = table; r != NULL; r = r->next)
        if ((address & mask(r->bits)) == r->net && (best == NULL || r->bits > best->bits))
            best = r;
    return best;
}

static void addRoute(uint32_t net, int bits, const char *name)
{
    Route **p = &table;
    while (*p != NULL)
        p = &(*p)->next;
    if (*p == NULL) {
        *p = malloc(sizeof(Route));
        (*p)->net = net;
        (*p)->bits = bits;
        (*p)->next = NULL;
    }
    strcpy((*p)->name, name);
}

static int dropRoute(uint32_t net, int bits)
{
    for (Route **p = &table; *p != NULL; p = &(*p)->next)
        if ((*p)->net == net && (*p)->bits == bits) {
            Route *gone = *p;
            *p = gone->next;
            free(gone);
            return 1;
        }
    return 0;
}

int main(void)
{
    char cmd[8], where[32], name[12];
    uint32_t net;
    int bits;

    while (scanf("%7s %31s", cmd, where) == 2) {
        if (strcmp(cmd, "to") == 0) {
            const Route *r;
            if (!parseAddress(where, &net)) {
                printf("bad address %s\n", where);
                continue;
            }
            r = lookup(net);
            printf("%s -> %s\n", where, r != NULL ? r->name : "nowhere");
        } else {
            int isRoute = strcmp(cmd, "route") == 0;
            if (isRoute && scanf("%11s", name) != 1)
                break;
            if (!parseNet(where, &net, &bits))
                printf("bad net\n");
            else if (isRoute)
                addRoute(net, bits, name);
            else if (!dropRoute(net, bits))
                printf("no such route\n");
        }
    }
    for (Route *r = table; r != NULL; r = r->next)
        printf("%u.%u.%u.%u/%d %s\n", r->net >> 24, r->net >> 16 & 255, r->net >> 8 & 255, r->net & 255, r->bits, r->name);
    while (table != NULL)
        dropRoute(table->net, table->bits);
    return 0;
}

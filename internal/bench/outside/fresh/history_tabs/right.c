#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES 5

struct page {
    char *url;
    struct page *prev, *next;
};

struct history {
    struct page *oldest;
    struct page *current;
    int count;
};

static char *copy(const char *s)
{
    char *c = malloc(strlen(s) + 1);
    if (c)
        strcpy(c, s);
    return c;
}

static void drop_forward(struct history *h)
{
    struct page *p, *next;

    if (h->current == NULL)
        return;
    for (p = h->current->next; p != NULL; p = next) {
        next = p->next;
        free(p->url);
        free(p);
        h->count--;
    }
    h->current->next = NULL;
}

static void drop_oldest(struct history *h)
{
    struct page *p = h->oldest;

    h->oldest = p->next;
    if (h->oldest)
        h->oldest->prev = NULL;
    free(p->url);
    free(p);
    h->count--;
}

static void visit(struct history *h, const char *url)
{
    struct page *p = malloc(sizeof *p);

    drop_forward(h);
    p->url = copy(url);
    p->next = NULL;
    p->prev = h->current;
    if (h->current)
        h->current->next = p;
    else
        h->oldest = p;
    h->current = p;
    if (++h->count > MAX_ENTRIES)
        drop_oldest(h);
}

static int go(struct history *h, int steps)
{
    int moved = 0;

    while (h->current && steps < 0 && h->current->prev) {
        h->current = h->current->prev;
        steps++;
        moved++;
    }
    while (h->current && steps > 0 && h->current->next) {
        h->current = h->current->next;
        steps--;
        moved++;
    }
    return moved;
}

static void show(const struct history *h)
{
    const struct page *p;

    for (p = h->oldest; p; p = p->next)
        printf(p == h->current ? "[%s] " : "%s ", p->url);
    printf("(%d)\n", h->count);
}

/* each argument: a page to visit, -N to go back, +N to go forward, = to print */
int main(int argc, char **argv)
{
    struct history h = { NULL, NULL, 0 };
    int i;

    for (i = 1; i < argc; i++) {
        if (argv[i][0] == '-' || argv[i][0] == '+')
            printf("%d\n", go(&h, atoi(argv[i])));
        else if (argv[i][0] == '=')
            show(&h);
        else
            visit(&h, argv[i]);
    }
    show(&h);
    while (h.oldest)
        drop_oldest(&h);
    return 0;
}

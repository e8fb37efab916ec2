#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A counting-out rhyme.  Usage: counting_out SYLLABLES NAME...
 *
 * The children stand in a ring.  The first one gets the first syllable, who gets the last
 * one leaves; the counting goes on with the neighbour, and every time the other way
 * round the ring.  The last child is "it". */

struct child {
    const char *name;
    struct child *next, *prev;
};

static struct child *ring;

static void join(const char *name)
{
    struct child *c = malloc(sizeof *c);

    c->name = name;
    if (ring == NULL) {
        c->next = c->prev = c;
        ring = c;
        return;
    }
    c->next = ring;
    c->prev = ring->prev;
    ring->prev->next = c;
    ring->prev = c;
}

static void leave(struct child *c)
{
    if (c->next == c) {
        ring = NULL;
    } else {
        c->prev->next = c->next;
        c->next->prev = c->prev;
        if (ring == c)
            ring = c->next;
    }
    free(c);
}

static void print_ring(void)
{
    struct child *c = ring;

    printf("(");
    do {
        printf("%s%s", c->name, c->next == ring ? ")\n" : " ");
        c = c->next;
    } while (c != ring);
}

int main(int argc, char **argv)
{
    int syllables, i, forward = 1, round = 0;
    struct child *at;

    if (argc < 3 || (syllables = atoi(argv[1])) < 1) {
        fprintf(stderr, "usage: counting_out SYLLABLES NAME...\n");
        return 2;
    }
    for (i = 2; i < argc; i++)
        join(argv[i]);

    at = ring;
    while (at->next != at) {
        struct child *out;

        print_ring();
        for (i = 1; i < syllables; i++)
            at = forward ? at->next : at->prev;
        out = at;
        forward = !forward;
        at = forward ? out->next : out->prev;
        printf("%d: %s leaves\n", ++round, out->name);
        leave(out);
    }
    printf("%s is it\n", at->name);
    leave(at);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A memory of SIZE cells is given to owners first fit.
 *
 * usage: segment_map SIZE CMD...   with  +X12  12 cells for X,  -X  all of X come back
 *
 * The memory is a list of segments in the order of their addresses; free ones (owner '.')
 * that touch are joined at once.  The map is printed after each command. */

typedef struct segment {
    struct segment *next;
    int start, size;
    char owner;
} segment;

static segment *new_segment(int start, int size, char owner, segment *next)
{
    segment *s = malloc(sizeof *s);
    s->start = start;
    s->size = size;
    s->owner = owner;
    s->next = next;
    return s;
}

static int take(segment *memory, char owner, int size)
{
    segment *s;

    for (s = memory; s != NULL; s = s->next)
        if (s->owner == '.' && s->size >= size)
            break;
    if (s == NULL)
        return 0;
    if (s->size > size)
        s->next = new_segment(s->start + size, s->size - size, '.', s->next);
    s->size = size;
    s->owner = owner;
    return 1;
}

static int give_back(segment *memory, char owner)
{
    segment *s;
    int cells = 0;

    for (s = memory; s != NULL; s = s->next)
        if (s->owner == owner) {
            s->owner = '.';
            cells += s->size;
        }
    s = memory;
    while (s != NULL) {
        segment *n = s->next;
        if (n != NULL && s->owner == '.' && n->owner == '.') {
            s->size += n->size;
            free(n);
            s->next = n->next;
        } else {
            s = n;
        }
    }
    return cells;
}

static void print(const segment *memory)
{
    const segment *s;
    int largest = 0;

    for (s = memory; s != NULL; s = s->next) {
        printf("%c%d@%d ", s->owner, s->size, s->start);
        if (s->owner == '.' && s->size > largest)
            largest = s->size;
    }
    printf("largest %d\n", largest);
}

int main(int argc, char **argv)
{
    segment *memory;
    int i;

    if (argc < 2 || atoi(argv[1]) < 1) {
        printf("usage: segment_map SIZE CMD...\n");
        return 2;
    }
    memory = new_segment(0, atoi(argv[1]), '.', NULL);
    for (i = 2; i < argc; i++) {
        char *c = argv[i];
        if (c[0] == '+') {
            int size = atoi(c + 2);
            if (size < 1 || !take(memory, c[1], size))
                printf("%s: no\n", c);
        } else {
            printf("%c gives %d\n", c[1], give_back(memory, c[1]));
        }
        print(memory);
    }
    while (memory != NULL) {
        segment *n = memory->next;
        free(memory);
        memory = n;
    }
    return 0;
}

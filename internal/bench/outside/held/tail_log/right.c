#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* tail with levels: the last LINES lines that are at least as bad as LEVEL
 * usage: tail_log LINES [LEVEL] <log, LEVEL is I, W or E; a line begins with its level */

struct ring {
    char **line;
    int size;
    int first;      /* oldest */
    int used;
};

static struct ring *new_ring(int size)
{
    struct ring *r = malloc(sizeof *r);
    r->line = calloc(size, sizeof *r->line);
    r->size = size;
    r->first = r->used = 0;
    return r;
}

static void add(struct ring *r, const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    strcpy(copy, text);
    if (r->used == r->size) {
        free(r->line[r->first]);
        r->line[r->first] = copy;
        r->first = (r->first + 1) % r->size;
    } else {
        r->line[(r->first + r->used) % r->size] = copy;
        r->used++;
    }
}

static void print(const struct ring *r)
{
    for (int i = 0; i < r->used; i++)
        printf("%s\n", r->line[(r->first + i) % r->size]);
}

static void drop(struct ring *r)
{
    for (int i = 0; i < r->used; i++)
        free(r->line[(r->first + i) % r->size]);
    free(r->line);
    free(r);
}

static int badness(char level)
{
    switch (level) {
    case 'E':
        return 2;
    case 'W':
        return 1;
    default:
        return 0;
    }
}

int main(int argc, char **argv)
{
    char buf[256];
    int lines, least = 0, seen = 0;

    if (argc < 2 || (lines = atoi(argv[1])) <= 0) {
        fprintf(stderr, "usage: %s lines [level]\n", argv[0]);
        return 1;
    }
    if (argc > 2)
        least = badness(argv[2][0]);
    struct ring *r = new_ring(lines);
    while (fgets(buf, sizeof buf, stdin) != NULL) {
        buf[strcspn(buf, "\n")] = '\0';
        seen++;
        if (badness(buf[0]) < least)
            continue;
        add(r, buf);
    }
    print(r);
    printf("-- %d of %d lines\n", r->used, seen);
    drop(r);
    return 0;
}

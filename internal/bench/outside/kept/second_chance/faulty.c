#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Page replacement by the clock ("second chance").
// First argument: number of frames. Then page numbers; w7 means page 7 is written to.

struct frame {
    int page;           // -1: empty
    unsigned used : 1;
    unsigned dirty : 1;
};

struct memory {
    struct frame *frames;
    int size;
    int hand;
    int faults, writes_back;
};

static int frame_of(const struct memory *m, int page)
{
    for (int i = 0; i < m->size; i++)
        if (m->frames[i].page == page)
            return i;
    return -1;
}

static void advance(struct memory *m)
{
    m->hand = (m->hand + 1) % m->size;
}

static int victim(struct memory *m)
{
    while (m->frames[m->hand].page >= 0 && m->frames[m->hand].used) {
        m->frames[m->hand].used = 0;
        advance(m);
    }
    int v = m->hand;
    return v;
}

static void touch(struct memory *m, int page, int write)
{
    int f = frame_of(m, page);
    if (f >= 0) {
        printf("%d: hit in %d\n", page, f);
    } else {
        f = victim(m);
        m->faults++;
        printf("%d: fault, frame %d", page, f);
        if (m->frames[f].page >= 0)
            printf(" instead of %d", m->frames[f].page);
        if (m->frames[f].dirty) {
            printf(", written back");
            m->writes_back++;
        }
        printf("\n");
        m->frames[f].page = page;
        m->frames[f].dirty = 0;
    }
    m->frames[f].used = 1;
    if (write)
        m->frames[f].dirty = 1;
}

int main(int argc, char **argv)
{
    struct memory m = {0};

    if (argc < 2 || (m.size = atoi(argv[1])) < 1) {
        printf("how many frames?\n");
        return 2;
    }
    m.frames = malloc(m.size * sizeof m.frames[0]);
    for (int i = 0; i < m.size; i++) {
        m.frames[i].page = -1;
        m.frames[i].used = 0;
        m.frames[i].dirty = 0;
    }
    for (int i = 2; i < argc; i++) {
        const char *s = argv[i];
        int write = *s == 'w';
        touch(&m, atoi(s + write), write);
    }
    printf("%d faults, %d written back\n", m.faults, m.writes_back);
    free(m.frames);
    return 0;
}

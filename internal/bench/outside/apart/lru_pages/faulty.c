#include <stdio.h>
#include <stdlib.h>

// Least recently used paging.  Usage: lru FRAMES PAGE...
// The frames are a doubly linked list, the page used last in front.

struct frame {
    int page;
    int uses;
    struct frame *prev, *next;
};

struct memory {
    struct frame *head, *tail;
    int count, size;
};

static struct frame *find(struct memory *m, int page)
{
    for (struct frame *f = m->head; f; f = f->next)
        if (f->page == page)
            return f;
    return NULL;
}

static void push_front(struct memory *m, struct frame *f)
{
    f->prev = NULL;
    f->next = m->head;
    if (m->head)
        m->head->prev = f;
    else
        m->tail = f;
    m->head = f;
}

static void unlink_frame(struct memory *m, struct frame *f)
{
    if (f->prev)
        f->prev->next = f->next;
    else
        m->head = f->next;
    if (f->next)
        f->next->prev = f->prev;
}

static void touch(struct memory *m, int page)
{
    struct frame *f = find(m, page);
    if (f) {
        f->uses++;
        printf("%d hit\n", page);
        unlink_frame(m, f);
        push_front(m, f);
        return;
    }
    if (m->count == m->size) {
        struct frame *old = m->tail;
        unlink_frame(m, old);
        printf("%d loaded for %d (used %d)\n", page, old->page, old->uses);
        free(old);
    } else {
        m->count++;
        printf("%d loaded\n", page);
    }
    f = malloc(sizeof *f);
    f->page = page;
    f->uses = 1;
    push_front(m, f);
}

int main(int argc, char **argv)
{
    struct memory m = {0};
    if (argc < 2 || (m.size = atoi(argv[1])) < 1) {
        fprintf(stderr, "usage: lru frames page...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        touch(&m, atoi(argv[i]));
    printf("kept:");
    for (struct frame *f = m.head; f; f = f->next)
        printf(" %d", f->page);
    printf("\n");
    while (m.head) {
        struct frame *f = m.head;
        m.head = f->next;
        free(f);
    }
    return 0;
}

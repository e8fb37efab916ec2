// doc_attach 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN_UP(x) (((x) + 7) & ~(size_t)7)

typedef struct Arena Arena;
struct Arena {
    Arena *prev;
    size_t used, cap;
    unsigned char mem[];
};

typedef struct Tag Tag;
struct Tag {
    Tag *sibling;
    Tag *child;
    char *text; /* malloc'd; owned */
};

typedef struct {
    Arena *arena;
    Tag *root;
} Doc;

static void *arena_alloc(Arena **a, size_t n)
{
    void *p;
    n = ALIGN_UP(n);
    if (*a == NULL || (*a)->cap - (*a)->used < n) {
        size_t cap = n > 64 ? n : 64;
        Arena *fresh = malloc(sizeof *fresh + cap);
        fresh->prev = *a;
        fresh->used = 0;
        fresh->cap = cap;
        *a = fresh;
    }
    p = (*a)->mem + (*a)->used;
    (*a)->used += n;
    return memset(p, 0, n);
}

static char *copy(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(malloc(n), s, n);
}

static Tag *doc_attach(Doc *d, Tag *parent, const char *text)
{
    Tag *t = arena_alloc(&d->arena, sizeof *t);
    Tag **at = parent ? &parent->child : &d->root;
    t->text = copy(text);
    while (*at)
        at = &(*at)->child; //! at = &(*at)->sibling;
    *at = t;
    return t;
}

static void show(const Tag *t)
{
    for (; t; t = t->sibling) {
        printf("<%s>", t->text);
        show(t->child);
        printf("</>");
    }
}

int main(void)
{
    Doc d = {0};
    Tag *html = doc_attach(&d, NULL, "html");
#ifdef HELD
    Tag *body = doc_attach(&d, html, "body");
    Tag *list = doc_attach(&d, body, "ul");
    doc_attach(&d, list, "a");
    doc_attach(&d, list, "b");
    doc_attach(&d, list, "c");
    doc_attach(&d, body, "p");
    doc_attach(&d, html, "foot");
#else
    doc_attach(&d, html, "head");
    doc_attach(&d, html, "body");
#endif
    show(d.root);
    printf("\n");
    return 0;
}

/* obstack.h: stacks of objects in chunks of memory. What the macros of the header do not do by themselves. */
#define _GNU_SOURCE
#include <obstack.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void gulo_exhausted(void)
{
    fprintf(stderr, "memory exhausted\n");
    exit(obstack_exit_failure);
}

void (*obstack_alloc_failed_handler)(void) = gulo_exhausted;
int obstack_exit_failure = EXIT_FAILURE;

/* The address at or above p that the alignment asks for. */
static char *gulo_aligned(struct obstack *h, char *p) { return p + (-(uintptr_t)p & h->alignment_mask); }

static struct _obstack_chunk *gulo_chunk(struct obstack *h, size_t size)
{
    struct _obstack_chunk *c = h->use_extra_arg ? h->chunkfun(h->extra_arg, size) : ((struct _obstack_chunk *(*)(long))h->chunkfun)(size);
    if (!c)
        obstack_alloc_failed_handler();
    else
        c->limit = (char *)c + size;
    return c;
}

static void gulo_release(struct obstack *h, struct _obstack_chunk *c)
{
    if (h->use_extra_arg)
        h->freefun(h->extra_arg, c);
    else
        ((void (*)(void *))h->freefun)(c);
}

static int gulo_begin(struct obstack *h, size_t size, size_t alignment)
{
    h->alignment_mask = (alignment ? alignment : 16) - 1;
    h->chunk_size = size ? size : 4064;
    struct _obstack_chunk *c = h->chunk = gulo_chunk(h, h->chunk_size);
    h->next_free = h->object_base = gulo_aligned(h, c->contents);
    h->chunk_limit = c->limit;
    c->prev = NULL;
    h->maybe_empty_object = h->alloc_failed = 0;
    return 1;
}

int _obstack_begin(struct obstack *h, int size, int alignment, void *(*get)(long), void (*put)(void *))
{
    h->chunkfun = (struct _obstack_chunk *(*)(void *, long))get;
    h->freefun = (void (*)(void *, struct _obstack_chunk *))put;
    h->use_extra_arg = 0;
    return gulo_begin(h, size, alignment);
}

int _obstack_begin_1(struct obstack *h, int size, int alignment, void *(*get)(void *, long), void (*put)(void *, void *), void *extra)
{
    h->chunkfun = (struct _obstack_chunk *(*)(void *, long))get;
    h->freefun = (void (*)(void *, struct _obstack_chunk *))put;
    h->extra_arg = extra;
    h->use_extra_arg = 1;
    return gulo_begin(h, size, alignment);
}

/* The growing object moves to a new chunk with room for so many bytes more. */
void _obstack_newchunk(struct obstack *h, int more)
{
    struct _obstack_chunk *old = h->chunk, *c;
    long had = h->next_free - h->object_base, size = had + more + (had >> 3) + h->alignment_mask + 100;
    if (size < h->chunk_size)
        size = h->chunk_size;
    c = h->chunk = gulo_chunk(h, size);
    c->prev = old;
    h->chunk_limit = c->limit;
    char *to = gulo_aligned(h, c->contents);
    for (long i = 0; i < had; i++)
        to[i] = h->object_base[i];
    if (!h->maybe_empty_object && h->object_base == gulo_aligned(h, old->contents)) { /* it was alone in the old one */
        c->prev = old->prev;
        gulo_release(h, old);
    }
    h->object_base = to;
    h->next_free = to + had;
    h->maybe_empty_object = 0;
}

static struct _obstack_chunk *gulo_with(struct _obstack_chunk *c, const void *object)
{
    while (c && !((char *)c < (char *)object && (char *)object <= c->limit))
        c = c->prev;
    return c;
}

int _obstack_allocated_p(struct obstack *h, void *object) { return gulo_with(h->chunk, object) != NULL; }

void (obstack_free)(struct obstack *h, void *object)
{
    struct _obstack_chunk *c = h->chunk;
    while (c && gulo_with(c, object) != c) {
        struct _obstack_chunk *prev = c->prev;
        gulo_release(h, c);
        c = prev;
        h->maybe_empty_object = 1;
    }
    if (c) {
        h->object_base = h->next_free = object;
        h->chunk_limit = c->limit;
        h->chunk = c;
    } else if (object)
        abort();
}

int _obstack_memory_used(struct obstack *h)
{
    int n = 0;
    for (struct _obstack_chunk *c = h->chunk; c; c = c->prev)
        n += c->limit - (char *)c;
    return n;
}

int obstack_vprintf(struct obstack *h, const char *format, va_list list)
{
    char *text;
    int n = vasprintf(&text, format, list);
    if (n >= 0) {
        obstack_grow(h, text, n);
        free(text);
    }
    return n;
}

int obstack_printf(struct obstack *h, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = obstack_vprintf(h, format, list);
    va_end(list);
    return n;
}

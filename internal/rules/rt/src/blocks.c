/* Blocks of a generated debugger: their ids, the allocator, locals and globals. */
#define _GNU_SOURCE
#include "gulo.h"
#include <errno.h>
#include <pthread.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

/* A supply of ids. Those of ended blocks wait in a list and are used again, the
   oldest first, but only when so many others have ended since as the history is
   long: till then an access to the block is known for what it is. */
typedef struct { u32 next, first, last; u64 waiting; int lock; } supply;
static supply others = {.next = 1}, locals = {.next = GULO_LOCALS};
static u64 history = 1 << 20;

static void lock(int *l)
{
    while (!__libc_single_threaded && __atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
}

static void unlock(int *l) { __atomic_store_n(l, 0, __ATOMIC_RELEASE); }

static u32 new_id(supply *s, u32 most)
{
    lock(&s->lock);
    u32 b = 0;
    if (s->waiting > history) {
        b = s->first;
        s->first = GULO_COLD[b].next;
        s->waiting--;
    } else if (s->next < most) {
        b = s->next++;
    }
    unlock(&s->lock);
    if (!b)
        gulo_die("more than 2 billion blocks");
    return b;
}

static void old_id(supply *s, u32 b)
{
    lock(&s->lock);
    if (s->waiting++)
        GULO_COLD[s->last].next = b;
    else
        s->first = b;
    s->last = b;
    unlock(&s->lock);
}

u32 gulo_other_ids(void) { return others.next; }
void gulo_set_history(u64 n) { history = n; }

/* The blocks of a set, which are numbered as in the rule language; 0: all. */
int gulo_member(int set, u32 bid)
{
    if (!bid)
        return 0;
    int kind = GULO_COLD[bid].kind, ended = gulo_ended(bid);
    switch (set) {
    case 0: return kind != 0;
    case 1: return kind == GULO_HEAP && !ended && !GULO_COLD[bid].external;
    case 2: return ended;
    case 3: return kind == GULO_STACK && !ended;
    case 4: return kind == GULO_GLOBAL;
    }
    return 0;
}

u32 gulo_next(int set, u32 b)
{
    for (b++;; b++) {
        if (b >= others.next && b < GULO_LOCALS)
            b = GULO_LOCALS;
        if (b >= locals.next)
            return 0;
        if (gulo_member(set, b))
            return b;
    }
}

static u32 add_block(const void *p, u64 size, int kind, const gulo_site *s)
{
    u32 b = new_id(&others, GULO_LOCALS);
    GULO_BLOCKS[b] = (gulo_block){(u64)p, (i64)size};
    GULO_COLD[b] = (gulo_cold){.made = s ? s->id : ~0u, .kind = (u8)kind, .base = (u64)p, .time = gulo_tick(), .made_stack = kind == GULO_HEAP ? gulo_stack_to(s) : 0};
    return b;
}

static void end_block(u32 b, const gulo_site *s, u32 origin)
{
    GULO_BLOCKS[b].base = GULO_ENDED;
    GULO_COLD[b].ended = s ? s->id : ~0u;
    GULO_COLD[b].ended_stack = GULO_COLD[b].kind == GULO_HEAP ? gulo_stack_to(s) : 0;
    GULO_COLD[b].origin = origin;
    GULO_COLD[b].end_time = gulo_tick();
    old_id(b < GULO_LOCALS ? &others : &locals, b);
}

/* Locals whose address is used beyond plain loads and stores (inline.c). While no
   pointer to one was stored or returned, none outlives the call, and its id can
   be used again at once. */
static u32 none[1];
__thread u32 *gulo_ids = none;
__thread u32 gulo_top;

#define MOST_LOCALS (4 << 20)
static pthread_key_t thread_key;
static u32 *spare[64];
static int spares, spare_lock;

static void thread_ends(void *ids)
{
    gulo_ids = none;
    gulo_top = 0;
    lock(&spare_lock);
    if (spares < 64)
        spare[spares++] = ids;
    else
        munmap(ids, MOST_LOCALS * sizeof(u32));
    unlock(&spare_lock);
}

/* gulo_more_ids makes an id for the next local of this thread. */
u32 gulo_more_ids(void)
{
    if (gulo_ids == none) {
        lock(&spare_lock);
        if (spares)
            gulo_ids = spare[--spares];
        unlock(&spare_lock);
        if (gulo_ids == none)
            gulo_ids = mmap(NULL, MOST_LOCALS * sizeof(u32), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (thread_key)
            pthread_setspecific(thread_key, gulo_ids);
    }
    if (gulo_top >= MOST_LOCALS - 1)
        gulo_die("more than 4 million local variables at once; is there a recursion that does not end?");
    u32 b = gulo_ids[gulo_top];
    if (!b) {
        b = gulo_ids[gulo_top] = new_id(&locals, 0xfffffffe);
        GULO_COLD[b] = (gulo_cold){.kind = GULO_STACK};
    }
    return b;
}

/* gulo_retire ends a local that something may still point to. */
void gulo_retire(u32 slot, const gulo_site *s)
{
    u32 b = gulo_ids[slot];
    gulo_ids[slot] = 0;
    end_block(b, s, 0);
}

/* gulo_unwind ends locals down to a number: those of calls that longjmp left,
   and those of variable length. */
void gulo_unwind(u32 top, const gulo_site *s)
{
    while (gulo_top > top) {
        u32 b = gulo_ids[--gulo_top];
        if (GULO_COLD[b].kept)
            gulo_retire(gulo_top, s);
        else
            GULO_BLOCKS[b].base = GULO_ENDED;
    }
}

void gulo_global(const void *p, u64 n, u64 *meta, const gulo_site *s)
{
    gulo_init();
    *meta = add_block(p, n, GULO_GLOBAL, s) | GULO_MADE(s);
}

/* A thread-local variable is a block of each thread that uses it. */
typedef struct { const void *p; u64 meta; } thread_local_block;
u64 gulo_thread_local(const void *p, u64 n, thread_local_block *own, const gulo_site *s)
{
    if (own->p != p)
        *own = (thread_local_block){p, add_block(p, n, GULO_GLOBAL, s) | GULO_MADE(s)};
    return own->meta;
}

/* The header of a heap block lies in the slot of the 8 bytes before it, which are
   malloc's own and hold no pointer. The id stays there after the block has ended,
   till the memory is used otherwise; no pointer looks like a size with its mark. */
typedef struct { u64 bid, size; } header;
#define SIZE_MARK (1ull << 63)
static header *header_of(void *p) { return (header *)gulo_slot_of((char *)p - 8); }
static int lives_at(void *p)
{
    header *h = header_of(p);
    return h->size & SIZE_MARK && h->bid && h->bid < others.next && GULO_BLOCKS[h->bid].base == (u64)p;
}
static u64 size_of(void *p) { return header_of(p)->size & ~SIZE_MARK; }

static void forget_pointers(const void *p, u64 n)
{
    gulo_slot *q = gulo_slot_of(p);
    for (u64 i = 0; i < n / 8; i++)
        if (q[i].value > 1)
            q[i].value = 1;
}

static void *raw_malloc(size_t n);
static void *raw_calloc(size_t n);
static void *raw_realloc(void *p, size_t n);
static void *raw_memalign(size_t a, size_t n);
static void raw_free(void *p);

static void *allocate(size_t n, size_t align, const gulo_site *s, int zero)
{
    gulo_init();
    if (n > 1ull << 46) {
        errno = ENOMEM;
        return NULL;
    }
    char *p = align > 16 ? raw_memalign(align, n) : zero ? raw_calloc(n) : raw_malloc(n);
    if (!p)
        return NULL;
    u32 b = add_block(p, n, GULO_HEAP, s);
    GULO_COLD[b].external = s == NULL;
    *header_of(p) = (header){b, n | SIZE_MARK};
    if (!s) /* pointers that the library puts there have no shadow, but may look like old ones */
        forget_pointers(p, n);
    if (gulo_tracks_written)
        gulo_set_bits(p, n, s != NULL && !zero);
    if (zero && align > 16)
        memset(p, 0, n);
    gulo_result = (gulo_slot){b | (s ? GULO_MADE(s) : 0), (u64)p};
    return p;
}

static void release(void *p, const gulo_site *s, u32 origin)
{
    if (lives_at(p)) { /* otherwise the C library will say what is wrong */
        end_block((u32)header_of(p)->bid, s, origin);
        if (gulo_tracks_written)
            gulo_set_bits(p, size_of(p), 0);
    }
    raw_free(p);
}

/* As glibc has it, realloc(p, 0) is free(p). What code without instrumentation makes
   larger, it may write. */
static void *resize(void *p, size_t n, u64 meta, const gulo_site *s)
{
    if (!p)
        return allocate(n, 16, s, 0);
    if (!lives_at(p))
        return raw_realloc(p, n);
    if (!n) {
        release(p, s, (u32)(meta >> 32));
        gulo_result = (gulo_slot){s ? GULO_MADE(s) : 0, 0};
        return NULL;
    }
    u64 old = size_of(p), m = n < old ? n : old;
    void *q = allocate(n, 16, s, 0);
    if (!q)
        return NULL;
    gulo_slot made = gulo_result;
    memcpy(q, p, m);
    if (s)
        gulo_move_bits(q, p, m);
    memcpy(gulo_slot_of(q), gulo_slot_of(p), m / 8 * sizeof(gulo_slot));
    release(p, s, (u32)(meta >> 32));
    gulo_result = made;
    return q;
}

/* What code without instrumentation calls, unless the program has allocators of its own. */
#define WEAK __attribute__((weak))
#define PAGE 4096
static void *std_malloc(size_t n) { return allocate(n, 16, NULL, 0); }
static void std_free(void *p)
{
    if (p)
        release(p, NULL, 0);
}
static void *std_calloc(size_t a, size_t b)
{
    size_t n;
    if (__builtin_mul_overflow(a, b, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(n, 16, NULL, 1);
}
static void *std_realloc(void *p, size_t n) { return resize(p, n, 0, NULL); }
static void *std_memalign(size_t a, size_t n) { return allocate(n, a, NULL, 0); }
WEAK void *malloc(size_t n) __attribute__((alias("std_malloc")));
WEAK void free(void *p) __attribute__((alias("std_free")));
WEAK void *calloc(size_t a, size_t b) __attribute__((alias("std_calloc")));
WEAK void *realloc(void *p, size_t n) __attribute__((alias("std_realloc")));
WEAK void *memalign(size_t a, size_t n) __attribute__((alias("std_memalign")));
WEAK void *aligned_alloc(size_t a, size_t n) { return allocate(n, a, NULL, 0); }
WEAK void *valloc(size_t n) { return allocate(n, PAGE, NULL, 0); }
WEAK void *pvalloc(size_t n) { return allocate((n + PAGE - 1) & ~(size_t)(PAGE - 1), PAGE, NULL, 0); }
WEAK void *reallocarray(void *p, size_t a, size_t b)
{
    size_t n;
    if (__builtin_mul_overflow(a, b, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(p, n, 0, NULL);
}
WEAK int posix_memalign(void **r, size_t a, size_t n)
{
    void *p = allocate(n, a, NULL, 0);
    if (!p)
        return ENOMEM;
    *r = p;
    return 0;
}
WEAK size_t malloc_usable_size(void *p) { return p ? size_of(p) : 0; }

/* Where the memory of blocks comes from: the program's own allocator, if it has one. */
static void *raw_malloc(size_t n) { return malloc == std_malloc ? __libc_malloc(n) : malloc(n); }
static void raw_free(void *p)
{
    if (free == std_free)
        __libc_free(p);
    else
        free(p);
}
static void *raw_calloc(size_t n)
{
    if (calloc != std_calloc)
        return calloc(n, 1);
    if (malloc == std_malloc)
        return __libc_calloc(n, 1);
    void *p = malloc(n);
    return p ? memset(p, 0, n) : NULL;
}
static void *raw_realloc(void *p, size_t n) { return realloc == std_realloc ? __libc_realloc(p, n) : realloc(p, n); }
static void *raw_memalign(size_t a, size_t n) { return memalign == std_memalign ? __libc_memalign(a, n) : memalign(a, n); }

u64 gulo_heap_size(void *p) { return size_of(p); }

/* What instrumented code calls instead. */
/* No block can be larger than half of the addresses: such a size is a number below 0, or a product that is too large. */
static void fits(size_t n, const gulo_site *s)
{
    if ((i64)n < 0)
        gulo_unfit("with a size that no block can have, such as a number below 0", s);
}

static void is_alignment(size_t align, size_t least, const gulo_site *s)
{
    if (align < least || align & (align - 1))
        gulo_unfit("with an alignment that is no power of two, or too small", s);
}

void *gulo_malloc(size_t n, const gulo_site *s)
{
    fits(n, s);
    return allocate(n, 16, s, 0);
}

void *gulo_realloc(void *p, size_t n, u64 meta, const gulo_site *s);
void *gulo_calloc(size_t a, size_t b, const gulo_site *s)
{
    size_t n;
    if (__builtin_mul_overflow(a, b, &n)) {
        fits(~(size_t)0, s);
        errno = ENOMEM;
        return NULL;
    }
    fits(n, s);
    return allocate(n, 16, s, 1);
}

/* gulo_owned gives a pointer of unknown origin the id that its block's header has,
   when it begins a heap block that lives. */
u64 gulo_owned(void *p, u64 meta)
{
    if ((u32)meta || ((u64)p & 15) || !lives_at(p) || GULO_COLD[header_of(p)->bid].kind != GULO_HEAP)
        return meta;
    return meta | header_of(p)->bid;
}

/* freeable is gulo_owned that also finds the last block that
   ended there: free and realloc can mean nothing else. */
static u64 freeable(void *p, u64 meta)
{
    header *h = header_of(p); /* wherever it points, there is a slot */
    meta = gulo_owned(p, meta);
    if (!(u32)meta && !((u64)p & 15) && h->size & SIZE_MARK && h->bid && h->bid < others.next && gulo_ended(h->bid) && GULO_COLD[h->bid].base == (u64)p)
        meta |= h->bid;
    return meta;
}

/* An allocator of the program's own takes back what it has given to library functions, too, which is in a variable of its
   own. Only that allocator knows whether it may. */
static int taken_back(u64 meta) { return free != std_free && GULO_COLD[(u32)meta].kind != GULO_HEAP; }

void *gulo_aligned(size_t align, size_t n, const gulo_site *s)
{
    is_alignment(align, 1, s);
    fits(n, s);
    return allocate(n, align, s, 0);
}

void *gulo_reallocarray(void *p, size_t a, size_t b, u64 meta, const gulo_site *s)
{
    size_t n;
    if (__builtin_mul_overflow(a, b, &n)) {
        fits(~(size_t)0, s);
        errno = ENOMEM;
        return NULL;
    }
    return gulo_realloc(p, n, meta, s);
}

void *gulo_pvalloc(size_t page, size_t n, const gulo_site *s)
{
    fits(n, s);
    return allocate((n + page - 1) & ~(page - 1), page, s, 0);
}

/* gulo_usable is malloc_usable_size. It says as much as was asked for, which is all that a program may count on. */
size_t gulo_usable(void *p, u64 meta, const gulo_site *s)
{
    if (!p)
        return 0;
    meta = freeable(p, meta);
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    if (!(u32)meta)
        return malloc_usable_size(p);
    if (GULO_COLD[(u32)meta].kind != GULO_HEAP || b->base != (u64)p) {
        gulo_fault("unmatched_free", "the size of what malloc did not return", s);
        return 0;
    }
    return (size_t)b->size;
}

int gulo_posix_memalign(void **r, size_t align, size_t n, u64 meta, const gulo_site *s)
{
    is_alignment(align, sizeof(void *), s);
    fits(n, s);
    void *p = align % sizeof(void *) || align & (align - 1) || !align ? NULL : allocate(n, align, s, 0);
    if (!p)
        return align % sizeof(void *) || align & (align - 1) || !align ? EINVAL : ENOMEM;
    gulo_slot made = gulo_result;
    gulo_touch(r, sizeof *r, meta, s, 1);
    *r = p;
    *gulo_slot_of(r) = made;
    return 0;
}

void gulo_free(void *p, u64 meta, const gulo_site *s)
{
    if (!p)
        return;
    meta = freeable(p, meta);
    if (taken_back(meta)) {
        free(p);
        return;
    }
    if (gulo_detect_free((u64)p, meta, s))
        return; /* told to go on: the block stays as it is */
    if ((u32)meta && GULO_BLOCKS[(u32)meta].base == (u64)p && GULO_COLD[(u32)meta].kind == GULO_HEAP)
        release(p, s, (u32)(meta >> 32));
}

void *gulo_realloc(void *p, size_t n, u64 meta, const gulo_site *s)
{
    if (p) {
        meta = freeable(p, meta);
        if (taken_back(meta))
            return realloc(p, n);
        if (gulo_detect_free((u64)p, meta, s))
            return NULL;
    }
    fits(n, s);
    return resize(p, n, meta, s);
}

/* The meta word of what a library function returns: a block that it made,
   or NULL, comes from the call. own: the program has to free the block. */
u64 gulo_from_library(const void *v, int own, const gulo_site *s)
{
    const volatile gulo_slot *r = &gulo_result;
    u64 meta = r->value == (u64)v ? r->meta : 0;
    if (!v)
        return GULO_MADE(s);
    if ((u32)meta && !(meta >> 32)) {
        gulo_cold *c = &GULO_COLD[(u32)meta];
        if (c->made == ~0u)
            c->made = s->id;
        c->external = !own;
        meta |= GULO_MADE(s);
    }
    return meta;
}

/* gulo_own_pointer is told of a pointer that a library function
   stored. If a heap block begins there, the program owns it. */
void gulo_own_pointer(void **p, const gulo_site *s)
{
    if (!p || !*p)
        return;
    u64 meta = gulo_owned(*p, 0);
    gulo_slot *q = gulo_slot_of(p);
    if ((u32)meta && GULO_COLD[(u32)meta].external) {
        GULO_COLD[(u32)meta].external = 0;
        GULO_COLD[(u32)meta].made = s->id;
    }
    *q = (gulo_slot){meta | GULO_MADE(s), (u64)*p};
}

/* A thread's function is given its argument with what is known of it. */
typedef struct { void *(*f)(void *); void *arg; u64 meta; } beginning;

static void *begin_thread(void *p)
{
    beginning b = *(beginning *)p;
    __libc_free(p);
    gulo_args[0] = (gulo_slot){b.meta, (u64)b.arg};
    return b.f(b.arg);
}

int gulo_thread(pthread_t *t, const pthread_attr_t *attr, void *(*f)(void *), void *arg, u64 mt, u64 marg, const gulo_site *s)
{
    gulo_touch(t, sizeof *t, mt, s, 1);
    beginning *b = __libc_malloc(sizeof *b);
    if (!b)
        return EAGAIN;
    if ((i64)(marg << 32) < 0)
        GULO_COLD[(u32)marg].kept = 1;
    *b = (beginning){f, arg, gulo_link(marg, (gulo_site *)s)};
    int e = pthread_create(t, attr, begin_thread, b);
    if (e)
        __libc_free(b);
    return e;
}

/* Memory that mmap gives is a block until munmap takes all of it; what is left
   when a part is taken is of no known block. */
static struct { u64 base; u32 bid; } maps[1024];
static int map_count, map_lock;

u64 gulo_mapped(void *p, u64 n, const gulo_site *s)
{
    if (p == MAP_FAILED)
        return GULO_MADE(s);
    if (gulo_tracks_written)
        gulo_mark_written(p, n);
    lock(&map_lock);
    u64 meta = GULO_MADE(s);
    if (map_count < 1024) {
        u32 b = add_block(p, n, GULO_GLOBAL, s);
        maps[map_count].base = (u64)p;
        maps[map_count++].bid = b;
        meta |= b;
    }
    unlock(&map_lock);
    return meta;
}

void gulo_unmapped(void *p, u64 n, const gulo_site *s)
{
    lock(&map_lock);
    for (int i = 0; i < map_count; i++) {
        gulo_block *b = &GULO_BLOCKS[maps[i].bid];
        if ((u64)p + n <= b->base || (u64)p >= b->base + (u64)b->size)
            continue;
        if ((u64)p <= b->base && (u64)p + n >= b->base + (u64)b->size)
            end_block(maps[i].bid, s, 0);
        else
            *b = GULO_BLOCKS[0];
        maps[i--] = maps[--map_count];
    }
    unlock(&map_lock);
}

/* What a program runs before all constructors may be instrumented, too. The C library does not know the environment yet. */
extern char **environ;

static void before_all(int argc, char **argv, char **env)
{
    (void)argc, (void)argv;
    if (!environ)
        environ = env;
    gulo_init();
}

__attribute__((section(".preinit_array"), used)) static void (*const at_first)(int, char **, char **) = before_all;

__attribute__((constructor(101))) static void begin(void)
{
    gulo_init();
    pthread_key_create(&thread_key, thread_ends);
    if (!thread_key) /* 0 stands for none */
        pthread_key_create(&thread_key, thread_ends);
}

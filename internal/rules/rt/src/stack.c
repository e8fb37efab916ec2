/* Call stacks. Those with which blocks are made or freed have ids, equal ones the same. */
#include "gulo.h"
#include <stddef.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>

__thread const gulo_site *gulo_calls[GULO_DEEP];
__thread u32 gulo_depth;

#define MOST_STACKS (1u << 20)
static u32 *index_of; /* twice as many places, by hash */
static u32 stacks = 1;
static int stacks_lock;

/* How many calls back are looked at: a function that calls itself may have done so very often. */
#define FAR 64

typedef struct { u32 left; const char *callee; int itself; } walk;

/* The next call outwards that a stack shows; NULL after the last. */
static inline const gulo_site *outwards(walk *w)
{
    while (w->left && gulo_depth - w->left < FAR) {
        const gulo_site *s = gulo_calls[--w->left % GULO_DEEP];
        int itself = s->in->func == w->callee;
        w->callee = s->in->func;
        if (itself && w->itself)
            continue;
        w->itself = itself;
        return s;
    }
    return NULL;
}

gulo_stack gulo_calls_to(const gulo_site *s)
{
    walk w = {gulo_depth, s ? s->in->func : NULL, 0};
    gulo_stack k = {.count = 0};
    for (const gulo_site *c; k.count < GULO_FRAMES && (c = outwards(&w)) != NULL;)
        k.call[k.count++] = c;
    k.more = w.left > 0;
    return k;
}

static inline u64 hash_of(const gulo_site *s)
{
    walk w = {gulo_depth, s ? s->in->func : NULL, 0};
    u64 h = 1;
    u32 n = 0;
    for (const gulo_site *c; n < GULO_FRAMES && (c = outwards(&w)) != NULL; n++)
        h = (h ^ (u64)c) * 0x9E3779B97F4A7C15ull;
    h = (h ^ (w.left > 0)) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 29;
}

const gulo_stack *gulo_stack_at(u32 id)
{
    static const gulo_stack none;
    return id ? &GULO_STACKS[id] : &none;
}

static int begin(void)
{
    gulo_stack *at = mmap(GULO_STACKS, MOST_STACKS * sizeof *at, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    index_of = mmap(NULL, 2 * MOST_STACKS * sizeof *index_of, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == GULO_STACKS && index_of != MAP_FAILED;
}

/* Stacks with the same hash of 64 bits are taken to be equal. */
u32 gulo_stack_to(const gulo_site *s)
{
    static __thread struct { u64 hash; u32 id; } latest[64];
    if (!gulo_depth)
        return 0;
    u64 h = hash_of(s);
    if (latest[h % 64].hash == h)
        return latest[h % 64].id;
    while (!__libc_single_threaded && __atomic_exchange_n(&stacks_lock, 1, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
    u32 b = 0;
    if (index_of || begin()) {
        u64 i = h % (2 * MOST_STACKS);
        while ((b = index_of[i]) != 0 && GULO_STACKS[b].hash != h)
            i = (i + 1) % (2 * MOST_STACKS);
        if (!b && stacks < MOST_STACKS) {
            b = index_of[i] = stacks++;
            GULO_STACKS[b] = gulo_calls_to(s);
            GULO_STACKS[b].hash = h;
        }
    }
    __atomic_store_n(&stacks_lock, 0, __ATOMIC_RELEASE);
    latest[h % 64].hash = h;
    latest[h % 64].id = b;
    return b;
}

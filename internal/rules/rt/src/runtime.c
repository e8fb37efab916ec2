/* The state of a generated debugger: blocks, what was written, and where values
   come from. */
#define _GNU_SOURCE
#include "gulo.h"
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

__thread gulo_slot gulo_args[GULO_SLOTS];
__thread gulo_slot gulo_result;

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);
extern void *__libc_memalign(size_t, size_t);

#define CACHE_BITS 20
#define MAX_DEPTH 24
#define FUNCTIONS 64

static u32 blocks = 1, nodes = 1;
static u64 now = 1;
static u64 last_call[FUNCTIONS];
static int ready;

static void die(const char *text)
{
    (void)!write(2, text, strlen(text));
    _exit(99);
}

static void reserve(u64 at, u64 size)
{
    void *p = mmap((void *)at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != (void *)at)
        die("gulo: cannot reserve the address space that a memory debugger needs (is ulimit -v set, or overcommit off?)\n");
    madvise(p, size, MADV_DONTDUMP);
}

static void init(void)
{
    if (ready)
        return;
    ready = 1;
    reserve((u64)GULO_BLOCKS, sizeof(gulo_block) << 32);
    reserve((u64)GULO_COLD, sizeof(gulo_cold) << 32);
    reserve((u64)GULO_NODES, sizeof(gulo_node) << 31);
    reserve((u64)GULO_CACHE, sizeof(u32) << CACHE_BITS);
    reserve(GULO_SHADOW, 0x200000000000ull);
    reserve(GULO_UNINIT, 0x100000000000ull);
    GULO_BLOCKS[0].base = GULO_NULL_PAGE;
    GULO_BLOCKS[0].size = 0x7fffffffffff0000ll;
}

/* The sections of sites, in the order in which they were met. */
#define SECTIONS 256
static struct { const gulo_site *from, *to; u32 id; } sections[SECTIONS];
static int section_count;
static u32 site_bytes = sizeof(gulo_site); /* id 0 is none */

void gulo_add_sites(const gulo_site *from, const gulo_site *to)
{
    for (int i = 0; i < section_count; i++)
        if (sections[i].from == from)
            return;
    if (section_count == SECTIONS)
        die("gulo: too many shared libraries\n");
    sections[section_count].from = from;
    sections[section_count].to = to;
    sections[section_count++].id = site_bytes;
    site_bytes += (u32)((const char *)to - (const char *)from);
}

u32 gulo_site_id(const gulo_site *s)
{
    for (int i = 0; i < section_count; i++)
        if (s >= sections[i].from && s < sections[i].to)
            return sections[i].id + (u32)((const char *)s - (const char *)sections[i].from);
    return 0;
}

const gulo_site *gulo_site_at(u32 id)
{
    static const gulo_site unknown = {"?", "?", "?", 0, 0};
    for (int i = section_count - 1; i >= 0; i--)
        if (id >= sections[i].id)
            return (const gulo_site *)((const char *)sections[i].from + (id - sections[i].id));
    return &unknown;
}

u64 gulo_now(void) { return now; }
u32 gulo_blocks_made(void) { return blocks; }

/* A new event has a new time; ids and times of several threads do not collide. */
static u64 tick(void) { return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED); }

/* gulo_link adds a step to the chain of a value. Equal steps after equal chains
   are one node, so that memory does not grow with the length of a run. */
u64 gulo_link(u64 meta, const gulo_site *s)
{
    u32 parent = meta >> 32, site = gulo_site_id(s);
    u64 key = (u64)parent << 32 | site;
    u32 h = (u32)((key * 0x9E3779B97F4A7C15ull) >> (64 - CACHE_BITS));
    u32 n = GULO_CACHE[h];
    if (!n || GULO_NODES[n].parent != parent || GULO_NODES[n].site != site) {
        u32 depth = parent && !(parent >> 31) ? GULO_NODES[parent].depth : 0;
        if (depth >= MAX_DEPTH)
            return meta;
        n = __atomic_fetch_add(&nodes, 1, __ATOMIC_RELAXED);
        if (n >> 31)
            die("gulo: too many value propagation steps\n");
        GULO_NODES[n] = (gulo_node){parent, site, depth + 1, 0};
        GULO_CACHE[h] = n;
    }
    return (u64)n << 32 | (u32)meta;
}

static u32 add_block(const void *p, u64 size, int kind, const gulo_site *s)
{
    u32 b = __atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED);
    if (b == 0xffffffff)
        die("gulo: more than 4 billion blocks\n");
    GULO_BLOCKS[b] = (gulo_block){(u64)p, (i64)size};
    GULO_COLD[b] = (gulo_cold){.made = s ? gulo_site_id(s) : ~0u, .kind = (u8)kind, .size = size, .time = tick()};
    return b;
}

static void end_block(u32 b, u32 site, u32 origin)
{
    GULO_BLOCKS[b].size = GULO_ENDED;
    GULO_COLD[b].ended = site;
    GULO_COLD[b].origin = origin;
    GULO_COLD[b].end_time = tick();
}

/* Which bytes were written. */

static void set_bits(const void *p, u64 n, int unwritten)
{
    const char *c = p;
    for (; n && ((u64)c & 7); c++, n--) {
        u8 m = (u8)(1 << ((u64)c & 7));
        *gulo_bits(c) = unwritten ? *gulo_bits(c) | m : *gulo_bits(c) & ~m;
    }
    memset(gulo_bits(c), unwritten ? 0xff : 0, n / 8);
    c += n & ~7ull;
    for (n &= 7; n; c++, n--) {
        u8 m = (u8)(1 << ((u64)c & 7));
        *gulo_bits(c) = unwritten ? *gulo_bits(c) | m : *gulo_bits(c) & ~m;
    }
}

void gulo_mark_written(const void *p, u64 n) { set_bits(p, n, 0); }

int gulo_bytes_written(const void *p, u64 n)
{
    for (const char *c = p; n; c++, n--)
        if (*gulo_bits(c) >> ((u64)c & 7) & 1)
            return 0;
    return 1;
}

static void move_bits(const void *to, const void *from, u64 n)
{
    if (!gulo_tracks_written)
        return;
    if ((((u64)to ^ (u64)from) & 7) == 0 && ((u64)to & 7) == 0) {
        memmove(gulo_bits(to), gulo_bits(from), n / 8);
        to = (const char *)to + (n & ~7ull);
        from = (const char *)from + (n & ~7ull);
        n &= 7;
    } else if (to > from) {
        for (u64 i = n; i-- > 0;)
            set_bits((const char *)to + i, 1, !gulo_bytes_written((const char *)from + i, 1));
        return;
    }
    for (u64 i = 0; i < n; i++)
        set_bits((const char *)to + i, 1, !gulo_bytes_written((const char *)from + i, 1));
}

/* The slow paths of checks. */

void gulo_slow(const void *p, u64 n, u64 meta, const gulo_site *s, int write) { gulo_detect_deref((u64)p, n, meta, s, write, 0); }

void gulo_unwritten(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (!gulo_bytes_written(p, n))
        gulo_detect_deref((u64)p, n, meta, s, 0, 0);
}

/* Heap blocks have 16 bytes before them: the id, the alignment, the size. */
typedef struct { u32 bid, align; u64 size; } header;
static header *header_of(void *p) { return (header *)p - 1; }

static void *allocate(size_t n, size_t align, const gulo_site *s, int zero)
{
    init();
    if (n > 1ull << 46) {
        errno = ENOMEM;
        return NULL;
    }
    align = align <= 16 ? 16 : align;
    char *q = align == 16 ? __libc_malloc(n + 16) : __libc_memalign(align, n + align);
    if (!q)
        return NULL;
    char *p = q + align;
    u32 b = add_block(p, n, GULO_HEAP, s);
    GULO_COLD[b].external = s == NULL;
    *header_of(p) = (header){b, (u32)align, n};
    if (gulo_tracks_written)
        set_bits(p, n, s != NULL && !zero);
    if (zero)
        memset(p, 0, n);
    gulo_result = (gulo_slot){b | (s ? GULO_MADE(s) : 0), (u64)p};
    return p;
}

static void release(void *p, u32 site, u32 origin)
{
    header *h = header_of(p);
    u32 align = h->align;
    end_block(h->bid, site, origin);
    if (gulo_tracks_written)
        set_bits(p, h->size, 0);
    __libc_free((char *)p - align);
}

static void *resize(void *p, size_t n, u64 meta, const gulo_site *s)
{
    if (!p)
        return allocate(n, 16, s, 0);
    u64 old = header_of(p)->size, m = n < old ? n : old;
    void *q = allocate(n, 16, s, 0);
    if (!q)
        return NULL;
    gulo_slot made = gulo_result;
    memcpy(q, p, m);
    move_bits(q, p, m);
    memcpy(gulo_slot_of(q), gulo_slot_of(p), m / 8 * sizeof(gulo_slot));
    release(p, s ? gulo_site_id(s) : ~0u, (u32)(meta >> 32));
    gulo_result = made;
    return q;
}

/* What code without instrumentation calls. */
void *malloc(size_t n) { return allocate(n, 16, NULL, 0); }
void free(void *p)
{
    if (p)
        release(p, ~0u, 0);
}
void *calloc(size_t a, size_t b)
{
    size_t n;
    if (__builtin_mul_overflow(a, b, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(n, 16, NULL, 1);
}
void *realloc(void *p, size_t n) { return resize(p, n, 0, NULL); }
void *memalign(size_t a, size_t n) { return allocate(n, a, NULL, 0); }
void *aligned_alloc(size_t a, size_t n) { return allocate(n, a, NULL, 0); }
int posix_memalign(void **r, size_t a, size_t n)
{
    void *p = allocate(n, a, NULL, 0);
    if (!p)
        return ENOMEM;
    *r = p;
    return 0;
}
size_t malloc_usable_size(void *p) { return p ? header_of(p)->size : 0; }

/* What instrumented code calls instead. */
void *gulo_malloc(size_t n, const gulo_site *s) { return allocate(n, 16, s, 0); }
void *gulo_calloc(size_t a, size_t b, const gulo_site *s)
{
    size_t n;
    if (__builtin_mul_overflow(a, b, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(n, 16, s, 1);
}

/* owned gives a pointer of unknown origin the id that its block's header has,
   when it begins a block that lives. */
static u64 owned(void *p, u64 meta)
{
    header h;
    struct iovec to = {&h, sizeof h}, from = {(char *)p - sizeof h, sizeof h};
    if ((u32)meta || ((u64)p & 15) || process_vm_readv(getpid(), &to, 1, &from, 1, 0) != sizeof h)
        return meta; /* it may point anywhere */
    if (!h.bid || h.bid >= blocks || GULO_BLOCKS[h.bid].base != (u64)p || GULO_COLD[h.bid].kind != GULO_HEAP || GULO_BLOCKS[h.bid].size == GULO_ENDED)
        return meta;
    return meta | h.bid;
}

void gulo_free(void *p, u64 meta, const gulo_site *s)
{
    if (!p)
        return;
    meta = owned(p, meta);
    if (gulo_detect_free((u64)p, meta, s))
        return; /* told to go on: the block stays as it is */
    if ((u32)meta && GULO_BLOCKS[(u32)meta].base == (u64)p && GULO_BLOCKS[(u32)meta].size != GULO_ENDED && GULO_COLD[(u32)meta].kind == GULO_HEAP)
        release(p, gulo_site_id(s), (u32)(meta >> 32));
}

void *gulo_realloc(void *p, size_t n, u64 meta, const gulo_site *s)
{
    if (p) {
        meta = owned(p, meta);
        if (gulo_detect_free((u64)p, meta, s))
            return NULL;
    }
    return resize(p, n, meta, s);
}

/* What a library function returns: a block that it made, or NULL, comes from the
   call. */
u64 gulo_from_library(const void *v, const gulo_site *s)
{
    const volatile gulo_slot *r = &gulo_result;
    u64 meta = r->value == (u64)v ? r->meta : 0;
    if (!v)
        return GULO_MADE(s);
    if ((u32)meta && !(meta >> 32)) {
        gulo_cold *c = &GULO_COLD[(u32)meta];
        if (c->made == ~0u)
            c->made = gulo_site_id(s);
        c->external = 0;
        meta |= GULO_MADE(s);
    }
    return meta;
}

/* Locals whose address is used beyond plain loads and stores. */
u64 gulo_local(const void *p, u64 n, const gulo_site *s)
{
    u32 b = add_block(p, n, GULO_STACK, s);
    if (gulo_tracks_written)
        set_bits(p, n, 1);
    return b | GULO_MADE(s);
}

void gulo_end_local(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    end_block((u32)meta, gulo_site_id(s), 0);
    if (gulo_tracks_written)
        set_bits(p, n, 0);
}

void gulo_global(const void *p, u64 n, u64 *meta, const gulo_site *s)
{
    init();
    *meta = add_block(p, n, GULO_GLOBAL, s) | GULO_MADE(s);
}

/* Copies of memory: pointers in it take their chains along. */
static int range(const void *p, u64 n, u64 meta, const gulo_site *s, int write, int moved)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    i64 off = (i64)((u64)p - b->base);
    if ((off | (b->size - (i64)n - off)) < 0)
        return gulo_detect_deref((u64)p, n, meta, s, write, moved);
    return 0;
}

void gulo_copy(void *to, const void *from, u64 n, u64 mto, u64 mfrom, const gulo_site *s)
{
    if (!n)
        return;
    range(from, n, mfrom, s, 0, 1);
    range(to, n, mto, s, 1, 0);
    move_bits(to, from, n);
    if ((((u64)to ^ (u64)from) & 7) == 0) {
        u64 skip = -(u64)to & 7;
        if (n >= skip + 8) {
            u64 words = (n - skip) / 8;
            gulo_slot *d = gulo_slot_of((char *)to + skip);
            memmove(d, gulo_slot_of((const char *)from + skip), words * sizeof *d);
#ifdef GULO_CHAINS
            const u64 *v = (const u64 *)((const char *)from + skip);
            for (u64 i = 0; i < words && i < 512; i++)
                if (d[i].value && d[i].value == v[i])
                    d[i].meta = gulo_link(d[i].meta, s);
#endif
        }
    }
}

void gulo_fill(void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (!n)
        return;
    range(p, n, meta, s, 1, 0);
    gulo_mark_written(p, n);
}

/* gulo_touch is an access of n bytes that a library function is about to make. */
void gulo_touch(const void *p, u64 n, u64 meta, const gulo_site *s, int write)
{
    if (!n)
        return;
    if (range(p, n, meta, s, write, 0))
        return;
    if (write)
        gulo_mark_written(p, n);
    else if (gulo_tracks_written && !gulo_bytes_written(p, n))
        gulo_detect_deref((u64)p, n, meta, s, 0, 0);
}

/* Calls that rules ask about. */
void gulo_enter(int fn, u64 v, const gulo_site *s)
{
    gulo_detect_call(fn, v, s);
    last_call[fn] = tick();
}

/* The stack above this is the program's; what is below may be anything. */
static u64 program_stack;

void gulo_leave(int fn, u64 v, const gulo_site *s)
{
    program_stack = (u64)__builtin_frame_address(0) + 16;
    gulo_detect_ret(fn, v, s);
    program_stack = 0;
}

int gulo_last_call(int fn, u64 *time)
{
    *time = last_call[fn];
    return last_call[fn] != 0;
}

/* What detectors ask. Sets are numbered as in the rule language. */
int gulo_member(int set, u32 bid)
{
    if (!bid || bid >= blocks)
        return 0;
    int kind = GULO_COLD[bid].kind, ended = GULO_BLOCKS[bid].size == GULO_ENDED;
    switch (set) {
    case 1: return kind == GULO_HEAP && !ended && !GULO_COLD[bid].external;
    case 2: return ended;
    case 3: return kind == GULO_STACK && !ended;
    case 4: return kind == GULO_GLOBAL;
    }
    return 0;
}

int gulo_order(u64 a, u64 ma, u64 b, u64 mb, int *n)
{
    *n = a < b ? -1 : a > b;
    return (u32)ma && (u32)ma == (u32)mb;
}

int gulo_value(u64 p, u64 meta, u64 *w)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    *w = 0;
    if (!(u32)meta || b->size == GULO_ENDED || p < b->base || p >= b->base + (u64)b->size)
        return 0;
    u64 n = b->base + (u64)b->size - p;
    memcpy(w, (const void *)p, n < 8 ? n : 8);
    return 1;
}

int gulo_first_word(u32 bid, u64 *w) { return gulo_value(GULO_BLOCKS[bid].base, bid, w); }

/* Which heap blocks the program can still reach: from writable data, stacks of
   this thread and through the heap. */
static u8 *marked;
static u64 marked_at;
static u32 *live, lives;

static int by_base(const void *a, const void *b)
{
    u64 x = GULO_BLOCKS[*(const u32 *)a].base, y = GULO_BLOCKS[*(const u32 *)b].base;
    return x < y ? -1 : x > y;
}

static u32 heap_block_at(u64 p)
{
    u32 lo = 0, hi = lives;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (GULO_BLOCKS[live[mid]].base <= p)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo)
        return 0;
    const gulo_block *b = &GULO_BLOCKS[live[lo - 1]];
    return p <= b->base + (u64)b->size ? live[lo - 1] : 0;
}

static void scan(u64 from, u64 to, u32 *todo, u32 *n)
{
    for (u64 a = (from + 7) & ~7ull; a + 8 <= to; a += 8) {
        u32 b = heap_block_at(*(const u64 *)a);
        if (b && !marked[b]) {
            marked[b] = 1;
            todo[(*n)++] = b;
        }
    }
}

static void *fresh(u64 n) { return mmap(NULL, n + 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

static void scan_maps(u64 stack, u32 *todo, u32 *n)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        u64 from, to;
        char mode[8], path[400] = "";
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %399s", &from, &to, mode, path) < 3 || mode[0] != 'r' || mode[1] != 'w')
            continue;
        if (strcmp(path, "[stack]") == 0)
            scan(stack, to, todo, n);
        else if (path[0] == '/' && from < 0x800000000000ull && !strstr(path, "/libc.so"))
            scan(from, to, todo, n);
        else if (path[0] == 0 && strstr(line, " 00:00 0") && to - from <= 1 << 20)
            scan(from, to, todo, n); /* what is left of writable data, and thread-local data */
    }
    if (f)
        fclose(f);
}

int gulo_reachable(u32 bid)
{
    if (marked_at == now)
        return marked[bid];
    u32 count = blocks;
    marked = fresh(count);
    live = fresh((u64)count * 4);
    u32 *todo = fresh((u64)count * 4), n = 0;
    lives = 0;
    for (u32 b = 1; b < count; b++)
        if (GULO_COLD[b].kind == GULO_HEAP && GULO_BLOCKS[b].size != GULO_ENDED)
            live[lives++] = b;
    qsort(live, lives, sizeof *live, by_base);
    scan_maps(program_stack ? program_stack : (u64)__builtin_frame_address(0), todo, &n);
    while (n) {
        u32 b = todo[--n];
        scan(GULO_BLOCKS[b].base, GULO_BLOCKS[b].base + (u64)GULO_BLOCKS[b].size, todo, &n);
    }
    marked_at = now;
    return marked[bid];
}

__attribute__((constructor(101))) static void begin(void) { init(); }

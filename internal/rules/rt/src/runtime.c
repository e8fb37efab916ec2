/* The state of a generated debugger: blocks, what was written, and where values
   come from. */
#define _GNU_SOURCE
#include "gulo.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

__thread gulo_slot gulo_args[GULO_SLOTS];
__thread u32 gulo_more;
__thread gulo_slot gulo_result, gulo_second;
__thread gulo_parts gulo_given_parts;
__thread gulo_result_parts gulo_returned_parts;
__thread gulo_list gulo_given_list;
__thread const void *gulo_left;
__thread gulo_call gulo_pointer_call, gulo_valueless;
const char GULO_SAME = 1;

#define CACHE_BITS 17
#define MAX_DEPTH 24
#define MOST_NODES (1u << 24)
#define MOST_EVENTS (1u << 31)
#define FUNCTIONS 64

static u32 nodes = 1, most_nodes = MOST_NODES;
static u64 now = 1;
static u64 last_call[FUNCTIONS];
static int ready;
int gulo_events; /* every step is kept, in a file */

/* gulo_die ends a program that cannot be watched any longer. gulo is told so in its report, since the
   program may end with any status; who runs the program alone sees it on standard error. */
void gulo_die(const char *text)
{
    const char *path = getenv("GULO_REPORT");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        (void)!write(fd, "{\"Cannot\":\"", 11);
        (void)!write(fd, text, strlen(text));
        (void)!write(fd, "\"}\n", 3);
    } else {
        (void)!write(2, "gulo: ", 6);
        (void)!write(2, text, strlen(text));
        (void)!write(2, "\n", 1);
    }
    _exit(99);
}

static void reserve(u64 at, u64 size, int fd)
{
    int flags = MAP_NORESERVE | MAP_FIXED_NOREPLACE | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
    void *p = mmap((void *)at, size, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (p != (void *)at)
        gulo_die("cannot reserve the address space that a memory debugger needs (is ulimit -v set, or overcommit off?)");
    madvise(p, size, MADV_DONTDUMP);
}

/* With GULO_EVENTS the steps of chains lie in that file, each with its time and
   none shared; otherwise in memory, equal ones once. */
static int event_file(void)
{
    const char *path = getenv("GULO_EVENTS");
    if (!path || !*path)
        return -1;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)(sizeof(gulo_node) * (u64)MOST_EVENTS)) != 0)
        gulo_die("cannot write the file that GULO_EVENTS names");
    gulo_events = 1;
    most_nodes = MOST_EVENTS;
    return fd;
}

void gulo_init(void)
{
    if (ready)
        return;
    ready = 1;
    reserve((u64)GULO_BLOCKS, sizeof(gulo_block) << 32, -1);
    reserve((u64)GULO_COLD, sizeof(gulo_cold) << 32, -1);
    int fd = event_file();
    reserve((u64)GULO_NODES, sizeof(gulo_node) * (u64)most_nodes, fd);
    if (fd >= 0)
        close(fd);
    reserve((u64)GULO_CACHE, sizeof(gulo_step) << CACHE_BITS, -1);
    reserve(GULO_SHADOW, 0x200000000000ull, -1);
    reserve(GULO_UNINIT, 0x100000000000ull, -1);
    GULO_BLOCKS[0].base = GULO_NULL_PAGE;
    GULO_BLOCKS[0].size = 0x7fffffffffff0000ll;
    const char *n = getenv("GULO_HISTORY");
    if (n && atoll(n) > 0)
        gulo_set_history((u64)atoll(n));
}

/* The file of events is cut to what was written. */
__attribute__((destructor)) static void end_events(void)
{
    if (gulo_events)
        (void)!truncate(getenv("GULO_EVENTS"), (off_t)(sizeof(gulo_node) * (u64)nodes));
}

/* The sections of sites, in the order in which they were met. */
#define SECTIONS 256
static struct { gulo_site *from, *to; u32 id; } sections[SECTIONS];
static int section_count;
static u32 sites = 1; /* id 0 is none */

void gulo_add_sites(gulo_site *from, gulo_site *to)
{
    for (int i = 0; i < section_count; i++)
        if (sections[i].from == from)
            return;
    if (section_count == SECTIONS)
        gulo_die("too many shared libraries");
    sections[section_count].from = from;
    sections[section_count].to = to;
    sections[section_count++].id = sites;
    for (gulo_site *s = from; s < to; s++)
        s->id = sites++;
}

const gulo_site *gulo_site_at(u32 id)
{
    static const gulo_unit nowhere = {"?", "?"};
    static const gulo_site unknown = {.in = &nowhere, .what = "?"};
    for (int i = section_count - 1; i >= 0; i--)
        if (id >= sections[i].id && id - sections[i].id < sections[i].to - sections[i].from)
            return &sections[i].from[id - sections[i].id];
    return &unknown;
}

u64 gulo_now(void) { return now; }

/* A new event has a new time. */
u64 gulo_tick(void) { return __libc_single_threaded ? ++now : __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED); }

/* gulo_link adds a step to the chain of a value. Equal steps after equal chains
   are one node. A step that the chain has leaves out what lies between, but for the
   step before: a value that goes round in a loop has the steps of one round, and one
   that goes twice through a function shows the last way into it. Chains end at a
   depth, and all of them when there are too many nodes. */
static u32 step_in(u32 n, u32 site)
{
    for (; n && !(n >> 31); n = GULO_NODES[n].parent)
        if (GULO_NODES[n].site == site)
            return n;
    return 0;
}

/* Where the node of a step after a chain is remembered. Nodes that are made one after another are asked for one after
   another: after the same site they lie side by side. */
static inline gulo_step *remembered(u32 parent, u32 site) { return &GULO_CACHE[(parent + site * 0x9E3779B1u) % (1u << CACHE_BITS)]; }

/* node is the one of a step after a chain; 0 if there is no room, nor will be. ways counts how often a step at the site
   kept the step before. Without a limit, a value that goes round by many ways gets new chains for ever; beyond it, all
   that lies between is left out. So memory does not grow with the length of a run. */
#define MOST_WAYS 64
static u32 node(u32 parent, u32 site, u32 *ways)
{
    u64 key = (u64)parent << 32 | site;
    gulo_step *c = remembered(parent, site);
    if (c->key == key)
        return c->node;
    u32 n = gulo_events ? 0 : step_in(parent, site), depth = parent && !(parent >> 31) ? GULO_NODES[parent].depth : 0;
    if (n && n != parent && *ways < MOST_WAYS) {
        ++*ways;
        u32 before = node(GULO_NODES[n].parent, GULO_NODES[parent].site, ways);
        n = before ? node(before, site, ways) : 0;
    } else if (!n && depth < (gulo_events ? 0xffff : MAX_DEPTH) && nodes < most_nodes - 256) {
        n = __libc_single_threaded ? nodes++ : __atomic_fetch_add(&nodes, 1, __ATOMIC_RELAXED);
        GULO_NODES[n] = (gulo_node){parent, site, .time = gulo_events ? gulo_tick() : 0, .depth = depth + 1};
    }
    if (!gulo_events)
        *c = (gulo_step){key, n};
    return n;
}

/* A step found elsewhere becomes the first that is looked at at its site. */
static inline u64 linked(u64 meta, u64 n, gulo_site *s)
{
    n = n ? n : meta >> 32;
    for (int i = 2; i > 0; i--)
        __atomic_store_n(&s->last[i], __atomic_load_n(&s->last[i - 1], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_store_n(&s->last[0], meta >> 32 << 32 | n, __ATOMIC_RELAXED);
    return n << 32 | (u32)meta;
}

__attribute__((noinline, preserve_most)) static u64 new_link(u64 meta, gulo_site *s)
{
    u64 n = node(meta >> 32, s->id, &s->ways);
    if (!gulo_events)
        return linked(meta, n, s);
    return n ? n << 32 | (u32)meta : meta;
}

__attribute__((preserve_most)) u64 gulo_link(u64 meta, gulo_site *s)
{
    for (int i = 0; i < 3; i++) {
        u64 c = __atomic_load_n(&s->last[i], __ATOMIC_RELAXED);
        if (c >> 32 == meta >> 32)
            return c << 32 | (u32)meta;
    }
    const gulo_step *c = remembered(meta >> 32, s->id);
    if (c->key == (meta >> 32 << 32 | s->id))
        return linked(meta, c->node, s);
    /* A jump: with a frame of its own, clang 19 clobbers what has to be preserved. */
    __attribute__((musttail)) return new_link(meta, s);
}

/* Which bytes were written: the bits of a range lie in a first and a last byte,
   maybe the same, and in those between. */
typedef struct { u8 *first, *last, head, tail; } bit_range;

static inline bit_range bits_of(const void *p, u64 n)
{
    u64 end = (u64)p + n - 1;
    bit_range r = {gulo_bits(p), gulo_bits((const void *)end), (u8)(0xff << ((u64)p & 7)), (u8)(0xff >> (7 - (end & 7)))};
    if (r.first == r.last)
        r.head = r.tail = r.head & r.tail;
    return r;
}

static inline void put(u8 *b, u8 mask, int unwritten) { *b = unwritten ? *b | mask : *b & (u8)~mask; }

/* Eight bytes of bits, which begin anywhere: memcpy would be a call here. */
typedef u64 word __attribute__((aligned(1), may_alias));

void gulo_set_bits(const void *p, u64 n, int unwritten)
{
    if (!n)
        return;
    bit_range r = bits_of(p, n);
    put(r.first, r.head, unwritten);
    put(r.last, r.tail, unwritten);
    u8 *b = r.first + 1;
    /* Mostly the bits are zero already: to read them, other than to write them, takes no memory. */
    for (; !unwritten && b + 4096 < r.last; b += 4096)
        for (u64 i = 0; i < 4096; i += 8)
            if (*(const word *)(b + i)) {
                memset(b, 0, 4096);
                break;
            }
    if (r.last > b + 64) {
        memset(b, unwritten ? 0xff : 0, (size_t)(r.last - b));
        return;
    }
    for (; b + 8 <= r.last; b += 8)
        *(word *)b = unwritten ? ~0ull : 0;
    for (; b < r.last; b++)
        *b = unwritten ? 0xff : 0;
}

void gulo_mark_written(const void *p, u64 n) { gulo_set_bits(p, n, 0); }

int gulo_bytes_written(const void *p, u64 n)
{
    if (!n)
        return 1;
    bit_range r = bits_of(p, n);
    if ((*r.first & r.head) | (*r.last & r.tail))
        return 0;
    const u8 *b = r.first + 1;
    for (; b + 32 <= r.last; b += 32) {
        const word *w = (const word *)b;
        if (w[0] | w[1] | w[2] | w[3])
            return 0;
    }
    for (; b + 8 <= r.last; b += 8)
        if (*(const word *)b)
            return 0;
    for (; b < r.last; b++)
        if (*b)
            return 0;
    return 1;
}

/* gulo_set_copied sets the bits of n <= 8 bytes. */
void gulo_set_copied(const void *to, u64 n, u32 bits)
{
    for (u64 i = 0; i < n; i++)
        gulo_set_bits((const char *)to + i, 1, bits >> i & 1);
}

void gulo_move_bits(const void *to, const void *from, u64 n)
{
    if (!gulo_tracks_written || !n)
        return;
    if (gulo_bytes_written(from, n)) {
        gulo_set_bits(to, n, 0);
        return;
    }
    if ((((u64)to | (u64)from) & 7) == 0) {
        memmove(gulo_bits(to), gulo_bits(from), n / 8);
        to = (const char *)to + (n & ~7ull);
        from = (const char *)from + (n & ~7ull);
        n &= 7;
    } else if (to > from) {
        for (u64 i = n; i-- > 0;)
            gulo_set_bits((const char *)to + i, 1, !gulo_bytes_written((const char *)from + i, 1));
        return;
    }
    for (u64 i = 0; i < n; i++)
        gulo_set_bits((const char *)to + i, 1, !gulo_bytes_written((const char *)from + i, 1));
}

/* gulo_foreign_memory was written by code without instrumentation: what the shadow
   holds of it is old, and may fit by chance, since stacks have the same values again
   and again. */
void gulo_foreign_memory(const void *p, u64 n)
{
    gulo_slot *s = gulo_slot_of(p);
    for (u64 i = 0; i < (n + 7) / 8; i++)
        s[i].value = 1;
    if (gulo_tracks_written)
        gulo_mark_written(p, n);
}

/* A struct argument in memory: what is known of it is what is known of where it was copied from. */
void gulo_by_value(const void *p, u64 n, const void *f, u32 i)
{
    const void *from = gulo_given_parts.to == f ? gulo_given_parts.from[i] : NULL;
    if (!from) {
        gulo_foreign_memory(p, n);
        return;
    }
    memcpy(gulo_slot_of(p), gulo_slot_of(from), (n + 7) / 8 * sizeof(gulo_slot));
    gulo_move_bits(p, from, n);
}

/* The words of a struct among variable arguments. */
void gulo_list_copy(u32 i, const void *from, u64 n)
{
    for (u64 k = 0; k < n / 8 && i + k < GULO_LIST; k++)
        gulo_given_list.slot[i + k] = gulo_slot_of(from)[k];
}

/* A function with variable arguments keeps what it is told of them until va_start, since it may call others before. */
void gulo_list_of(const void *f, gulo_list *kept)
{
    kept->to = NULL;
    if (gulo_given_list.to != f)
        return;
    memcpy(kept, &gulo_given_list, offsetof(gulo_list, slot) + (GULO_REGISTERS + gulo_given_list.words) * sizeof(gulo_slot));
    gulo_given_list.to = NULL;
}

/* After va_start: the list is in memory that the caller and the beginning of the function
   wrote. Where nothing was told of an argument it is unknown, as far as the list may reach. */
typedef struct { u32 general, floating; void *stack, *registers; } variable_arguments;
void gulo_list_start(const variable_arguments *list, const gulo_list *kept)
{
    gulo_slot *r = gulo_slot_of(list->registers), *s = gulo_slot_of(list->stack);
    for (u32 i = 0; i < GULO_REGISTERS; i++)
        r[i] = kept->to ? kept->slot[i] : (gulo_slot){0, 1};
    for (u32 i = 0; i < (kept->to ? kept->words : 16); i++)
        s[i] = kept->to ? kept->slot[GULO_REGISTERS + i] : (gulo_slot){0, 1};
}

/* Pointers that global variables are initialized with. */
typedef struct { void *const *at; const u64 *meta; } initial;
void gulo_initial(const initial *list, u64 n)
{
    for (u64 i = 0; i < n; i++)
        *gulo_slot_of(list[i].at) = (gulo_slot){*list[i].meta, (u64)*list[i].at};
}

/* The slow paths of checks. */

void gulo_slow(const void *p, u64 n, u64 meta, const gulo_site *s, int write) { gulo_detect_deref((u64)p, n, meta, s, write, 0); }

void gulo_unwritten(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (!gulo_bytes_written(p, n))
        gulo_detect_deref((u64)p, n, meta, s, 0, 0);
}

/* Copies of memory: pointers in it take their chains along. */
static int range(const void *p, u64 n, u64 meta, const gulo_site *s, int write, int moved)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    i64 off = (i64)((u64)p - b->base);
    if ((off | (i64)n | (b->size - (i64)n - off)) < 0) /* a number below 0 that became a size is too large for any block */
        return gulo_detect_deref((u64)p, n, meta, s, write, moved);
    return 0;
}

void gulo_copy(void *to, const void *from, u64 n, u64 mto, u64 mfrom, const gulo_site *s)
{
    if (!n)
        return;
    range(from, n, mfrom, s, 0, 1);
    range(to, n, mto, s, 1, 0);
    if ((u32)mfrom)
        gulo_move_bits(to, from, n);
    else if (gulo_tracks_written)
        gulo_mark_written(to, n); /* of no known block: what its bits say is old */
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
                    d[i].meta = gulo_link(d[i].meta, (gulo_site *)s);
#endif
        }
    }
}

/* gulo_apart reports a function that copies between overlapping memory. */
void gulo_apart(const void *to, u64 n, const void *from, u64 k, const gulo_site *s)
{
    char text[128];
    if (!n || !k || (u64)to >= (u64)from + k || (u64)from >= (u64)to + n)
        return;
    snprintf(text, sizeof text, "%s between overlapping memory", s->what);
    gulo_fault("overlap", text, s);
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

/* Notes of values that were loaded and never written: the newest of this thread. */
#define NOTES 4096
static __thread struct { const void *p; u64 meta; const gulo_site *site; u8 n, bits; } notes[NOTES];
static __thread u32 last_note;

void gulo_veil_notes(void)
{
    for (int i = 0; i < NOTES; i++)
        notes[i].p = (const void *)~(u64)notes[i].p;
}

u32 gulo_note(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (!(u32)meta)
        return 0; /* rules ask only about blocks that are known */
    u32 k = last_note++ % (NOTES - 1) + 1;
    notes[k].p = p;
    notes[k].meta = meta;
    notes[k].site = s;
    notes[k].n = (u8)n;
    notes[k].bits = 0;
    for (u64 i = 0; i < n; i++)
        notes[k].bits |= (u8)(!gulo_bytes_written((const char *)p + i, 1) << i);
    return k;
}

/* gulo_use asks the rules about the place where a value is used, with its
   bytes as they were when it was loaded; a load in another line becomes a
   step of the chain. Without a place of use, that of the load counts. */
void gulo_use(u32 note, const gulo_site *s)
{
    const void *p = notes[note].p;
    u64 n = notes[note].n;
    u32 now = 0;
    for (u64 i = 0; i < n; i++)
        now |= (u32)!gulo_bytes_written((const char *)p + i, 1) << i;
    gulo_set_copied(p, n, notes[note].bits);
    u64 meta = notes[note].meta;
    if (!s)
        s = notes[note].site;
    if (s->line != notes[note].site->line)
        meta = gulo_link(meta, (gulo_site *)notes[note].site);
    gulo_detect_deref((u64)p, n, meta, s, 0, GULO_USED);
    gulo_set_copied(p, n, now);
}

/* Calls that rules ask about. */
void gulo_enter(int fn, u64 v, const gulo_site *s)
{
    gulo_detect_call(fn, v, s);
    last_call[fn] = gulo_tick();
}

/* The variables of a function that returns are gone, so the stack is the program's only above
   its frame: frame is the address of that, or NULL for a function without instrumentation. */
void gulo_leave(int fn, u64 v, const gulo_site *s, const void *frame)
{
    gulo_program_stack = (u64)(frame ? frame : __builtin_frame_address(0)) + 16;
    gulo_detect_ret(fn, v, s);
    gulo_program_stack = 0;
}

/* exit is called: variables of functions that have not returned may be in registers, which are saved just below the
   frame's address. */
#define SAVED_REGISTERS 5
__attribute__((noinline)) void gulo_exits(int fn, u64 v, const gulo_site *s)
{
    __builtin_unwind_init();
    gulo_program_stack = (u64)__builtin_frame_address(0) - SAVED_REGISTERS * 8;
    gulo_detect_ret(fn, v, s);
    gulo_program_stack = 0;
}

/* The compiler has to take a caller to use its variables after a call that ends the program. */
void gulo_alive(const void *p) { (void)p; }

int gulo_last_call(int fn, u64 *time)
{
    *time = last_call[fn];
    return last_call[fn] != 0;
}

/* What detectors ask. */
int gulo_order(u64 a, u64 ma, u64 b, u64 mb, int *n)
{
    *n = a < b ? -1 : a > b;
    return (u32)ma && (u32)ma == (u32)mb;
}

int gulo_value(u64 p, u64 meta, u64 *w)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    *w = 0;
    if (!(u32)meta || p < b->base || p >= b->base + (u64)b->size)
        return 0;
    u64 n = b->base + (u64)b->size - p;
    memcpy(w, (const void *)p, n < 8 ? n : 8);
    return 1;
}

int gulo_first_word(u32 bid, u64 *w) { return gulo_value(GULO_COLD[bid].base, bid, w); }

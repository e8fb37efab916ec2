/* The fast paths of a generated debugger: linked into every file and inlined. */
#include "gulo.h"
#include <sys/single_threaded.h>
#define INLINE __attribute__((always_inline))
#define rare(x) __builtin_expect(!!(x), 0)

#ifdef GULO_CHAINS
/* Mostly the same chain comes to a place again. */
static inline u64 chained(u64 meta, gulo_site *s)
{
    u64 c = __atomic_load_n(&s->last[0], __ATOMIC_RELAXED);
    if (__builtin_expect((u32)(c >> 32) == (u32)(meta >> 32), 1))
        return c << 32 | (u32)meta;
    return gulo_link(meta, s);
}
#else
static inline u64 chained(u64 meta, gulo_site *s) { return (void)s, meta; }
#endif

/* A local that something outside its call may point to: its id is not used again at once. */
static inline u64 keep(u64 meta)
{
    if (rare((i64)(meta << 32) < 0))
        GULO_COLD[(u32)meta].kept = 1;
    return meta;
}

/* One comparison for "in a block that lives": an ended block is far above all
   memory, and block 0 begins after the page that NULL points into. What is aligned
   does not lie across the beginning of a block. */
INLINE void gulo_check(const void *p, u64 n, u64 meta, const gulo_site *s, int write)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    if (rare((u64)p + (n - 1) - b->base >= (u64)b->size))
        gulo_slow(p, n, meta, s, write);
}

INLINE void gulo_check_null(const void *p, u64 n, u64 meta, const gulo_site *s, int write)
{
    if (rare((u64)p < GULO_NULL_PAGE))
        gulo_slow(p, n, meta, s, write);
}

INLINE void gulo_check_always(const void *p, u64 n, u64 meta, const gulo_site *s, int write) { gulo_slow(p, n, meta, s, write); }

/* The bits of 8 bytes that begin anywhere lie in 16 bits. Mostly these say that
   all is written; only otherwise the right ones among them are looked at. */
typedef uint16_t bits16 __attribute__((aligned(1), may_alias));
#define bits_from(p) (*(bits16 *)gulo_bits(p))
#define mask_of(n) ((u32)((1u << (n)) - 1))
#define some_unwritten(p, n) (rare((n) == 1 ? *gulo_bits(p) : bits_from(p)) && (bits_from(p) >> ((u64)(p) & 7) & mask_of(n)))

INLINE void gulo_check_written(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (n > 8 ? !gulo_bytes_written(p, n) : some_unwritten(p, n))
        gulo_unwritten(p, n, meta, s);
}

/* A value that was never written gets a number, that of a note; using it is the
   error. */
INLINE u32 gulo_read(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (some_unwritten(p, n))
        return gulo_note(p, n, meta, s);
    return 0;
}

INLINE void gulo_used(u32 note, const gulo_site *s)
{
    if (rare(note))
        gulo_use(note, s);
}

INLINE void gulo_spread(u32 note, const void *p, u64 n)
{
    if (rare(note))
        gulo_set_bits(p, n, 1);
}

/* Two threads may write to bytes whose bits lie in one byte. */
static inline void clear(u8 *b, u8 m)
{
    if (__libc_single_threaded)
        *b &= (u8)~m;
    else if (m)
        __atomic_fetch_and(b, (u8)~m, __ATOMIC_RELAXED);
}

INLINE void gulo_wrote(const void *p, u64 n)
{
    if (n > 8) { /* long double, vectors */
        gulo_mark_written(p, n);
        return;
    }
    u32 m = mask_of(n) << ((u64)p & 7);
    if (some_unwritten(p, n)) {
        clear(gulo_bits(p), (u8)m);
        if (m >> 8)
            clear(gulo_bits(p) + 1, (u8)(m >> 8));
    }
}

/* A copy of a scalar takes along which of its bytes were
   written; outside of known blocks all count as written. */
INLINE void gulo_copied(const void *to, const void *from, u64 n, u64 meta)
{
    /* The last byte of a word that is copied byte by byte takes the meta word along: it counts if all bytes came. */
    if (n == 1 && rare(((u64)to & (u64)from & 7) == 7))
        *gulo_slot_of(to) = *gulo_slot_of(from);
    if (n > 8) {
        if ((u32)meta)
            gulo_move_bits(to, from, n);
        else
            gulo_mark_written(to, n);
        return;
    }
    if (!rare(n == 1 ? *gulo_bits(from) | *gulo_bits(to) : bits_from(from) | bits_from(to)))
        return;
    u32 o = (u64)to & 7;
    u32 bits = (u32)meta ? bits_from(from) >> ((u64)from & 7) & mask_of(n) : 0;
    u32 old = bits_from(to);
    if (rare((old >> o & mask_of(n)) != bits))
        gulo_set_copied(to, n, bits);
}

/* A copy of a word that may be a pointer: what gulo_copy does for many words. */
INLINE void gulo_copy_word(void *to, const void *from, u64 mfrom, gulo_site *s)
{
    const gulo_slot *f = gulo_slot_of(from);
    gulo_slot *t = gulo_slot_of(to);
    u64 meta = f->meta, value = f->value;
    if (value == *(const u64 *)from && meta)
        meta = chained(meta, s);
    t->meta = meta;
    t->value = value;
#ifdef GULO_WRITTEN
    *gulo_bits(to) = (u32)mfrom ? *gulo_bits(from) : 0;
#else
    (void)mfrom;
#endif
}

/* What is tested once before a loop. gulo_rounds is how often a loop goes round
   whose counter is compared with a limit; 0 if that is not known, or so seldom
   that nothing is gained. From a limit beyond edge one more step would wrap.
   kind: 1 the counter falls; 2 the limit itself counts; 4 unsigned; 8 until the
   limit is met exactly; 16 compared before the counter is changed. */
INLINE u64 gulo_rounds(u64 from, u64 to, u64 step, u64 edge, int kind)
{
    int down = kind & 1, is_unsigned = kind & 4;
    u64 low = down ? to : from, high = down ? from : to, d = high - low, n;
    if (kind & 8) {
        if (d % step)
            return 0;
        n = d / step;
    } else {
        u64 a = down ? edge : to, b = down ? to : edge;
        if (is_unsigned ? low >= high || a > b : (i64)low >= (i64)high || (i64)a > (i64)b)
            return 0;
        n = kind & 2 ? d / step + 1 : (d + step - 1) / step;
    }
    n += (kind & 16) != 0;
    return n - 8 < 0x7fffffff ? n : 0;
}

/* gulo_inside reports whether all addresses from first to last lie in the block.
   A counter that wraps on the way does not reach last in as many steps. */
INLINE int gulo_inside(int others, const void *first, const void *last, i64 step, u64 n, u64 rounds, u64 meta)
{
    if (!others || !rounds || !(u32)meta || (u64)last - (u64)first != (rounds - 1) * (u64)step)
        return 0;
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    u64 low = (u64)(step < 0 ? last : first) - b->base, high = (u64)(step < 0 ? first : last) - b->base + n;
    return low < (u64)b->size && high <= (u64)b->size;
}

INLINE int gulo_inside_written(int inside, const void *first, const void *last, u64 n)
{
    const char *low = first < last ? first : last, *high = first < last ? last : first;
    return inside && gulo_bytes_written(low, (u64)(high - low) + n);
}

INLINE void gulo_check_unless(int inside, const void *p, u64 n, u64 meta, const gulo_site *s, int write)
{
    if (rare(!inside))
        gulo_check(p, n, meta, s, write);
}

INLINE void gulo_check_written_unless(int written, const void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (rare(!written))
        gulo_check_written(p, n, meta, s);
}

INLINE u32 gulo_read_unless(int written, const void *p, u64 n, u64 meta, const gulo_site *s)
{
    return rare(!written) ? gulo_read(p, n, meta, s) : 0;
}

INLINE void gulo_wrote_unless(int written, const void *p, u64 n)
{
    if (rare(!written))
        gulo_wrote(p, n);
}

INLINE u64 gulo_load_meta(const void *a, const void *v)
{
    const gulo_slot *s = gulo_slot_of(a);
    return s->value == (u64)v ? s->meta : 0;
}

INLINE void gulo_store_meta(const void *a, const void *v, u64 meta, gulo_site *s)
{
    gulo_slot *q = gulo_slot_of(a);
    meta = chained(keep(meta), s);
    q->meta = meta;
    q->value = (u64)v;
}

INLINE u64 gulo_get_arg(u32 i, const void *v) { return gulo_args[i].value == (u64)v ? gulo_args[i].meta : 0; }

INLINE void gulo_set_arg(u32 i, const void *v, u64 meta, gulo_site *s)
{
    meta = chained(meta, s);
    gulo_args[i].meta = meta;
    gulo_args[i].value = (u64)v;
    if (i >= GULO_FEW)
        gulo_more = 1;
}

/* Volatile: LLVM takes strdup and others to change no memory that the
   program sees. But they allocate, and the allocator writes this. */
static inline u64 given(const volatile gulo_slot *r, const void *v) { return r->value == (u64)v ? r->meta : 0; }

static inline void give(gulo_slot *r, const void *v, u64 meta, gulo_site *s)
{
    meta = chained(keep(meta), s);
    r->meta = meta;
    r->value = (u64)v;
}

/* The meta words of a result. */
INLINE u64 gulo_get_result(const void *v) { return given(&gulo_result, v); }
INLINE u64 gulo_get_second(const void *v) { return given(&gulo_second, v); }
INLINE void gulo_set_result(const void *v, u64 meta, gulo_site *s) { give(&gulo_result, v, meta, s); }
INLINE void gulo_set_second(const void *v, u64 meta, gulo_site *s) { give(&gulo_second, v, meta, s); }

/* A variable argument: a register, or a word of the stack. */
INLINE void gulo_set_listed(u32 i, const void *v, u64 meta, gulo_site *s)
{
    gulo_given_list.slot[i].meta = chained(meta, s);
    gulo_given_list.slot[i].value = (u64)v;
}

INLINE void gulo_list_for(const void *to, u32 words)
{
    gulo_given_list.to = to;
    gulo_given_list.words = words;
}

/* Which of up to eight bytes, a part of a struct, were never written. */
INLINE u64 gulo_part_bits(const void *p, u64 n, u64 meta) { return (u32)meta && some_unwritten(p, n) ? bits_from(p) >> ((u64)p & 7) & mask_of(n) : 0; }

INLINE void gulo_parts_for(const void *to, u64 bits)
{
    gulo_given_parts.to = to;
    gulo_given_parts.bits = bits;
}

INLINE void gulo_copy_for(u32 i, const void *from, u64 meta) { gulo_given_parts.from[i] = (u32)meta ? from : NULL; }

INLINE u64 gulo_parts_of(const void *f)
{
    u64 bits = gulo_given_parts.to == f ? gulo_given_parts.bits : 0;
    gulo_given_parts.to = NULL;
    return bits;
}

INLINE void gulo_result_by(const void *f, u64 bits) { gulo_returned_parts = (gulo_result_parts){f, (u32)bits}; }

INLINE u64 gulo_result_of(const void *f)
{
    u64 bits = gulo_returned_parts.by == f ? gulo_returned_parts.bits : 0;
    gulo_returned_parts.by = NULL;
    return bits;
}

/* A part of a struct is stored, with what is known of its bytes. */
INLINE void gulo_stored_part(const void *p, u64 n, u64 bits)
{
    if (rare(bits & mask_of(n)))
        gulo_set_copied(p, n, (u32)bits & mask_of(n));
    else
        gulo_wrote(p, n);
}

static inline u64 begin_local(const void *p, u64 n, const gulo_site *s)
{
    u32 b = gulo_ids[gulo_top];
    if (rare(!b))
        b = gulo_more_ids();
    gulo_top++;
    GULO_BLOCKS[b].base = (u64)p;
    GULO_BLOCKS[b].size = (i64)n;
    GULO_COLD[b].made = gulo_id(s);
    GULO_COLD[b].base = (u64)p;
    GULO_COLD[b].kept = 0;
#ifdef GULO_TIMES
    GULO_COLD[b].time = gulo_tick();
#endif
    return b | GULO_MADE(s);
}

/* A local of constant size is not written yet. It begins at a multiple of 8, and so does what follows. This must not ask
   __builtin_constant_p: the answer would be that of this file, which is optimized before it is inlined anywhere. */
static inline void unwritten(const void *p, u64 n)
{
#ifdef GULO_WRITTEN
    if (n <= 512)
        __builtin_memset(gulo_bits(p), 0xff, (n + 7) / 8);
    else
        gulo_set_bits(p, n, 1);
#endif
}

/* A local begins when its function does. */
INLINE u64 gulo_local(const void *p, u64 n, const gulo_site *s)
{
    u64 meta = begin_local(p, n, s);
    unwritten(p, n);
    return meta;
}

/* A local whose size is computed. */
INLINE u64 gulo_local_array(const void *p, u64 n, const gulo_site *s)
{
    u64 meta = begin_local(p, n, s);
#ifdef GULO_WRITTEN
    gulo_set_bits(p, n, 1);
#endif
    return meta;
}

INLINE u32 gulo_locals(void) { return gulo_top; }

/* The locals of a call end, in the order in which they began. */
INLINE void gulo_end_local(u64 meta, u32 slot, const gulo_site *s)
{
    if (rare(GULO_COLD[(u32)meta].kept))
        gulo_retire(slot, s);
    else
        GULO_BLOCKS[(u32)meta].base = GULO_ENDED;
}

INLINE void gulo_end_locals(u32 top) { gulo_top = top; }

/* A local whose scope is left, and entered again. */
INLINE void gulo_end_scope(u64 meta, const gulo_site *s)
{
    GULO_BLOCKS[(u32)meta].base = GULO_ENDED;
    GULO_COLD[(u32)meta].ended = gulo_id(s);
    GULO_COLD[(u32)meta].end_time = gulo_tick();
}

INLINE void gulo_begin_scope(const void *p, u64 n, u64 meta)
{
    GULO_BLOCKS[(u32)meta].base = (u64)p;
    unwritten(p, n);
}

/* Functions with instrumentation say so when they return. A
   function that did not may have written to what it was given. */
INLINE void gulo_left_by(const void *f) { gulo_left = f; }

INLINE void gulo_foreign(const void *f, const void *p, u64 meta, const gulo_site *s)
{
    if (rare(gulo_left != f))
        gulo_unknown(p, meta, s);
}

/* A call through a pointer says where it is: the wrapper of a library function
   that it leads to takes that for its own place. */
INLINE void gulo_calling(const void *f, const gulo_site *s) { gulo_pointer_call = (gulo_call){f, s}; }

INLINE const gulo_site *gulo_called(const void *f)
{
    const gulo_site *s = gulo_pointer_call.to == f ? gulo_pointer_call.at : NULL;
    gulo_pointer_call.to = NULL;
    return s;
}

/* A function that a wrapper called returns through it. */
INLINE void gulo_left_through(const void *f, const void *wrapper)
{
    if (gulo_left == f)
        gulo_left = wrapper;
}

/* A function that may end without a value says how it ended when it returns. If
   a caller then finds that function named, it is about the call that it made. */
INLINE void gulo_valued_end(u32 valued, const void *f, const gulo_site *s) { gulo_valueless = (gulo_call){valued ? NULL : f, s}; }

INLINE void gulo_value_used(const void *f, const gulo_site *s)
{
    if (rare(gulo_valueless.to == f))
        gulo_no_value(gulo_valueless.at, s);
}

/* An index is used into an array of n elements inside a variable or block; limit is n, or n + 1 for an address. */
INLINE void gulo_index(u64 index, u64 limit, u64 n, const gulo_site *s)
{
    if (rare(index >= limit))
        gulo_outside_array(index, n, s);
}

/* A pointer of which the program says that it is never null. */
INLINE void gulo_not_null(const void *p, u32 kind, const gulo_site *s)
{
    if (rare(!p))
        gulo_null_value(kind, s);
}

/* A call is on the stack of its thread while it has not returned; depth is how many there were when its caller began. */
INLINE u32 gulo_depth_here(void) { return gulo_depth; }

INLINE void gulo_call_begins(u32 depth, const gulo_site *s)
{
    gulo_calls[depth % GULO_DEEP] = s;
    gulo_depth = depth + 1;
}

INLINE void gulo_call_ends(u32 depth) { gulo_depth = depth; }

INLINE u64 gulo_made_null(const gulo_site *s) { return GULO_MADE(s); }

/* Once for the program and each shared library. */
extern gulo_site __start_gulosites[] __attribute__((weak, visibility("hidden"))), __stop_gulosites[] __attribute__((weak, visibility("hidden")));

__attribute__((constructor(101), weak, visibility("hidden"))) void gulo_sites(void)
{
    if (__start_gulosites)
        gulo_add_sites(__start_gulosites, __stop_gulosites);
}

/* Objects of another version of gulo, or of other rules, do not link. */
extern const char GULO_SAME;
__attribute__((used, weak, visibility("hidden"))) const char *const gulo_same = &GULO_SAME;

/* Nothing that is in the slots is meant for code without instrumentation. */
INLINE void gulo_before_extern(void)
{
    gulo_result.value = gulo_second.value = 1;
    for (int i = 0; i < GULO_FEW; i++)
        gulo_args[i].value = 1;
    if (rare(gulo_more)) {
        for (int i = GULO_FEW; i < GULO_SLOTS; i++)
            gulo_args[i].value = 1;
        gulo_more = 0;
    }
}

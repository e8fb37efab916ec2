/* The fast paths of a generated debugger: linked into every file and inlined. */
#include "gulo.h"
#define INLINE __attribute__((always_inline))
#define rare(x) __builtin_expect(!!(x), 0)

/* One comparison for "in a block that lives": an ended block's size is far below
   zero, and block 0 begins after the page that NULL points into. */
INLINE void gulo_check(const void *p, u64 n, u64 meta, const gulo_site *s, int write)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    i64 off = (i64)((u64)p - b->base), room = b->size - (i64)n - off;
    if (rare((off | room) < 0))
        gulo_slow(p, n, meta, s, write);
}

INLINE void gulo_check_null(const void *p, u64 n, u64 meta, const gulo_site *s, int write)
{
    if (rare((u64)p < GULO_NULL_PAGE))
        gulo_slow(p, n, meta, s, write);
}

INLINE void gulo_check_always(const void *p, u64 n, u64 meta, const gulo_site *s, int write) { gulo_slow(p, n, meta, s, write); }

INLINE void gulo_check_written(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    u64 o = (u64)p & 7;
    if (o + n > 8 || rare(*gulo_bits(p) & (u8)(((1u << n) - 1) << o)))
        gulo_unwritten(p, n, meta, s);
}

INLINE void gulo_wrote(const void *p, u64 n)
{
    u64 o = (u64)p & 7;
    u8 *b = gulo_bits(p);
    if (n == 8 && o == 0)
        *b = 0;
    else if (o + n > 8)
        gulo_mark_written(p, n);
    else if (rare(*b))
        *b &= (u8)~(((1u << n) - 1) << o);
}

/* A copy of a scalar takes along which of its bytes were written. */
INLINE void gulo_copied(const void *to, const void *from, u64 n)
{
    u64 o = (u64)to & 7, q = (u64)from & 7;
    if (o + n > 8 || q + n > 8) {
        if (gulo_bytes_written(from, n))
            gulo_mark_written(to, n);
        return;
    }
    u8 mask = (u8)((1u << n) - 1), bits = (u8)(*gulo_bits(from) >> q) & mask;
    u8 *b = gulo_bits(to);
    *b = (u8)((*b & ~(mask << o)) | (bits << o));
}

INLINE u64 gulo_load_meta(const void *a, const void *v)
{
    const gulo_slot *s = gulo_slot_of(a);
    return s->value == (u64)v ? s->meta : 0;
}

INLINE void gulo_store_meta(const void *a, const void *v, u64 meta, const gulo_site *s)
{
    gulo_slot *q = gulo_slot_of(a);
#ifdef GULO_CHAINS
    meta = gulo_link(meta, s);
#endif
    q->meta = meta;
    q->value = (u64)v;
}

INLINE u64 gulo_get_arg(u32 i, const void *v) { return gulo_args[i].value == (u64)v ? gulo_args[i].meta : 0; }

INLINE void gulo_set_arg(u32 i, const void *v, u64 meta, const gulo_site *s)
{
#ifdef GULO_CHAINS
    meta = gulo_link(meta, s);
#endif
    gulo_args[i].meta = meta;
    gulo_args[i].value = (u64)v;
}

/* Volatile: LLVM knows of strdup and others that they change no memory that the
   program sees, but they allocate, and this is what the allocator says. */
INLINE u64 gulo_get_result(const void *v)
{
    const volatile gulo_slot *r = &gulo_result;
    return r->value == (u64)v ? r->meta : 0;
}

INLINE void gulo_set_result(const void *v, u64 meta, const gulo_site *s)
{
#ifdef GULO_CHAINS
    meta = gulo_link(meta, s);
#endif
    gulo_result.meta = meta;
    gulo_result.value = (u64)v;
}

INLINE u64 gulo_made_null(const gulo_site *s) { return GULO_MADE(s); }

/* Once for the program and each shared library. */
extern const gulo_site __start_gulosites[] __attribute__((weak, visibility("hidden"))), __stop_gulosites[] __attribute__((weak, visibility("hidden")));

__attribute__((constructor(101), weak, visibility("hidden"))) void gulo_sites(void)
{
    if (__start_gulosites)
        gulo_add_sites(__start_gulosites, __stop_gulosites);
}

/* Nothing that is in the slots is meant for code without instrumentation. */
INLINE void gulo_before_extern(void)
{
    gulo_result.value = 1;
    for (int i = 0; i < GULO_SLOTS; i++)
        gulo_args[i].value = 1;
}

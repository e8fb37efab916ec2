/* What the parts of a generated debugger share.

   A pointer's meta word is (origin << 32) | bid: the block that it was made for
   and where its value comes from. It travels beside the pointer: in registers as
   a value of its own, through memory in a shadow, through calls in thread-local
   slots. Shadow and slots also hold the pointer itself, and a meta word counts
   only while that is still the value found: what code without instrumentation
   writes makes the meta word unknown, never wrong. */
#ifndef GULO_H
#define GULO_H
#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;
typedef int64_t i64;

/* A place in the source. Sites lie in a section of their own in the program and
   in every shared library; an id counts through all of them. via is the last assignment to
   a variable in a register that a pointer went through on its way here, whose via is the one
   before; these have no id. last are the latest steps of chains here, the
   newest first: (origin before << 32) | origin after. */
typedef struct { const char *file, *func; } gulo_unit;
typedef struct gulo_site { const gulo_unit *in; const char *what; const struct gulo_site *via; u32 line, column, id, ways; u64 last[3]; } gulo_site;

/* Blocks by id: locals from GULO_LOCALS on, all others below. What a check
   needs is in gulo_block, the rest in gulo_cold. The base of an ended block is
   GULO_ENDED. Block 0 stands for "unknown": everything but the first page. */
typedef struct { u64 base; i64 size; } gulo_block;
typedef struct { u32 made, ended, origin, made_stack, ended_stack; u8 kind, external, kept; u32 next; u64 base, time, end_time; } gulo_cold;
typedef struct { u64 meta, value; } gulo_slot;
typedef struct { u32 parent, site; u64 time : 48, depth : 16; } gulo_node;
typedef struct { u64 key, node; } gulo_step;
enum { GULO_HEAP = 1, GULO_STACK, GULO_GLOBAL };

/* A call stack: the calls that have not returned, the innermost first. Of the calls by which a
   function called itself only the last is kept; more says that there are calls further out. */
#define GULO_FRAMES 10
typedef struct { const gulo_site *call[GULO_FRAMES]; u32 count, more; u64 hash; } gulo_stack;

#define GULO_LOCALS 0x80000000u
#define GULO_ENDED (1ull << 62)
#define gulo_ended(b) (GULO_BLOCKS[b].base == GULO_ENDED)
#define GULO_NULL_PAGE 65536

#define GULO_BLOCKS ((gulo_block *)0x080000000000ull)
#define GULO_COLD ((gulo_cold *)0x090000000000ull)
#define GULO_SHADOW 0x100000000000ull  /* a slot for every 8 bytes */
#define GULO_UNINIT 0x300000000000ull  /* a bit a byte: 1 = never written */
#define GULO_NODES ((gulo_node *)0x0a0000000000ull)
#define GULO_CACHE ((gulo_step *)0x0b0000000000ull)
#define GULO_STACKS ((gulo_stack *)0x0c0000000000ull)

static inline gulo_slot *gulo_slot_of(const void *a) { return (gulo_slot *)((((u64)a & 0x0ffffffffff8ull) << 1) + GULO_SHADOW); }
static inline u8 *gulo_bits(const void *a) { return (u8 *)(((u64)a >> 3) + GULO_UNINIT); }

/* How code finds what a thread has of its own. Code that can only become part of a program knows where that is; code
   for a shared object, which finds it in the program, asks a table. */
#ifdef GULO_IN_PROGRAM
#define GULO_TLS __attribute__((tls_model("local-exec")))
#else
#define GULO_TLS __attribute__((tls_model("initial-exec")))
#endif
extern __thread const void *gulo_left GULO_TLS;
typedef struct { const void *to; const gulo_site *at; } gulo_call;
extern __thread gulo_call gulo_pointer_call GULO_TLS;
extern __thread gulo_call gulo_valueless GULO_TLS;
/* Meta words of arguments, and of a result, which may have two. gulo_more says that some are set beyond the first few. */
#define GULO_FEW 8
#define GULO_SLOTS 64
extern __thread gulo_slot gulo_args[GULO_SLOTS] GULO_TLS;
extern __thread u32 gulo_more GULO_TLS;
extern __thread gulo_slot gulo_result, gulo_second GULO_TLS;

/* Which bytes of struct arguments, and of a struct result, were never written: a bit each, for eight arguments
   of eight bytes. Of structs in memory it is said where they were copied from; NULL: all was written. All this
   counts only for the function that is named, since code without instrumentation sets nothing of the kind. */
#define GULO_COPIED 4
typedef struct { const void *to; u64 bits; const void *from[GULO_COPIED]; } gulo_parts;
extern __thread gulo_parts gulo_given_parts GULO_TLS;
typedef struct { const void *by; u32 bits; } gulo_result_parts;
extern __thread gulo_result_parts gulo_returned_parts GULO_TLS;

/* Variable arguments as va_start finds them: the six general registers, then the stack. */
#define GULO_REGISTERS 6
#define GULO_LIST 70
typedef struct { const void *to; u32 words; gulo_slot slot[GULO_LIST]; } gulo_list;
extern __thread gulo_list gulo_given_list GULO_TLS;
/* Locals of the calls of this thread: their ids, and how many there are.
   Ids above are free to be used; 0 means that one has to be made first. */
extern __thread u32 *gulo_ids GULO_TLS;
extern __thread u32 gulo_top GULO_TLS;
/* The calls of this thread that have not returned: the innermost GULO_DEEP of them, and how many there are. */
#define GULO_DEEP 256
extern __thread const gulo_site *gulo_calls[GULO_DEEP] GULO_TLS;
extern __thread u32 gulo_depth GULO_TLS;
const gulo_site *gulo_site_at(u32 id);
void gulo_add_sites(gulo_site *from, gulo_site *to);

/* An origin is a site (bit 31: the value was made there) or a node. */
/* Volatile: the runtime sets ids at start, which LLVM does not see. */
#define gulo_id(site) (*(const volatile u32 *)&(site)->id)
#define GULO_MADE(site) ((u64)gulo_id(site) << 32 | 1ull << 63)

/* runtime.c */
void gulo_slow(const void *p, u64 n, u64 meta, const gulo_site *s, int write);
void gulo_unwritten(const void *p, u64 n, u64 meta, const gulo_site *s);
u32 gulo_note(const void *p, u64 n, u64 meta, const gulo_site *s);
void gulo_use(u32 note, const gulo_site *s);
void gulo_veil_notes(void);
extern char *gulo_rest_of_tokens;
void gulo_mark_written(const void *p, u64 n);
__attribute__((preserve_most)) u64 gulo_link(u64 meta, gulo_site *s);
int gulo_bytes_written(const void *p, u64 n);
int gulo_member(int set, u32 bid);
int gulo_reachable(u32 bid);
u32 gulo_next(int set, u32 bid); /* the next block of a set, 0 after the last */
u64 gulo_now(void);
extern int gulo_events;
int gulo_last_call(int fn, u64 *time);
int gulo_order(u64 a, u64 ma, u64 b, u64 mb, int *n);
int gulo_value(u64 p, u64 meta, u64 *w);
int gulo_first_word(u32 bid, u64 *w);

/* stack.c */
gulo_stack gulo_calls_to(const gulo_site *s);
u32 gulo_stack_to(const gulo_site *s); /* the same as an id; 0: none */
const gulo_stack *gulo_stack_at(u32 id);

/* trace.c */
void gulo_trace_end(void);

void gulo_apart(const void *to, u64 n, const void *from, u64 k, const gulo_site *s);
void gulo_touch(const void *p, u64 n, u64 meta, const gulo_site *s, int write);

/* model.c */
enum { GULO_APPEND = 1, GULO_WIDE = 2, GULO_NO_CASE = 4 };
void gulo_unknown(const void *p, u64 meta, const gulo_site *s);
void gulo_string(const char *p, u64 most, u64 meta, const gulo_site *s);
void gulo_wide_string(const void *p, u64 most, u64 meta, const gulo_site *s);
void gulo_moving(const void *p, u64 n, u64 meta, const gulo_site *s);
void gulo_given(const void *p, u64 n, u64 meta, const gulo_site *s);
void gulo_filled(const void *p, u64 meta, const gulo_site *s);

/* system.c */
#define GULO_EPOLL 12 /* the size of a struct epoll_event */
struct sockaddr;
void gulo_address(const struct sockaddr *a, u64 n, u64 meta, const gulo_site *s);
int gulo_terminal(void *p, u32 request, u64 meta, const gulo_site *s);

/* report.c */
/* A rule that fires: the pointers whose chains it wants, the block that it is about, and the access of n bytes
   at p, if it is one. Leaked blocks that were made at the same place by the same calls are one finding. */
typedef struct { int count; const char *name[8]; u64 pointer[8], meta[8]; u32 block; u64 p, n; u8 access, write; u64 blocks, bytes; } gulo_finding;
void gulo_count(u32 block);
void gulo_report(int rule, const gulo_site *s, gulo_finding *f);
void gulo_fault(const char *kind, const char *text, const gulo_site *s);
void gulo_outside_array(u64 index, u64 n, const gulo_site *s);
void gulo_null_value(u32 kind, const gulo_site *s);
void gulo_unfit(const char *what, const gulo_site *s);
void gulo_no_value(const gulo_site *end, const gulo_site *use);
extern u8 gulo_enabled[];
extern const char *const gulo_rules[], *const gulo_meanings[]; /* their names, up to NULL, and what they tell people */

/* The detectors that are generated; each reports and returns 1 when one fires. */
/* What happens to the bytes of an access. GULO_MOVED: they are only moved, so that rules about what was written
   are not asked. GULO_USED: a value is used that was loaded before, so that only those rules are asked. */
enum { GULO_ACCESSED, GULO_MOVED, GULO_USED };
int gulo_detect_deref(u64 p, u64 n, u64 meta, const gulo_site *s, int write, int moved);
int gulo_detect_free(u64 p, u64 meta, const gulo_site *s);
int gulo_detect_call(int fn, u64 v, const gulo_site *s);
int gulo_detect_ret(int fn, u64 v, const gulo_site *s);
extern const int gulo_tracks_written;

/* blocks.c */
u64 gulo_tick(void);
u32 gulo_more_ids(void);
void gulo_retire(u32 slot, const gulo_site *s);
void gulo_unwind(u32 top, const gulo_site *s);
void gulo_set_history(u64 n);
u32 gulo_other_ids(void); /* one more than the last of those below GULO_LOCALS */
void gulo_init(void);
u64 gulo_owned(void *p, u64 meta);
u64 gulo_heap_size(void *p);
void gulo_own_pointer(void **p, const gulo_site *s);
void gulo_die(const char *text);
extern u64 gulo_program_stack;
void gulo_set_copied(const void *to, u64 n, u32 bits);
void gulo_set_bits(const void *p, u64 n, int unwritten);
void gulo_move_bits(const void *to, const void *from, u64 n);
#endif

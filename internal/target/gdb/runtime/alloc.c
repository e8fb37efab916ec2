/* Linked into the debugged program: it logs every allocation where the
   debugger can read it, fills fresh memory with 0xFE, and keeps freed blocks
   out of circulation so that dangling pointers stay visible. Every thread
   passes a place where the debugger can hold it before it begins. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);
extern char __executable_start, etext;

/* user is where the program allocated the block, 0 for the C library's own; freed is where it freed it. */
struct gulo_block { unsigned long p, size, live, user, freed; };
struct gulo_chunk { struct gulo_chunk *next; unsigned long n; struct gulo_block b[1022]; };
struct gulo_chunk gulo_first;
struct gulo_chunk *gulo_last = &gulo_first;
/* Blocks that the C library has allocated for itself. */
struct gulo_chunk gulo_library;
static struct gulo_chunk *library_last = &gulo_library;
/* Blocks the debugger makes; it writes here from outside. */
unsigned long gulo_arena[8192];
unsigned long gulo_quarantined;
/* Where the environment is that getenv reads. */
extern char **environ;
char ***gulo_environ = &environ;
/* The streams that are open from the beginning. */
extern void *stdin, *stdout, *stderr;
void **gulo_streams[3] = { &stdin, &stdout, &stderr };

/* What the debugger takes over to be told by the kernel which pages were written: a userfaultfd
   with UFFD_FEATURE_WP_ASYNC, which never holds anybody up. -1 where the kernel has none. Its
   number is high, so that the program's own files have the numbers that they have without it. */
int gulo_written = -1;

__attribute__((constructor)) static void watch_writes(void)
{
    struct { unsigned long api, features, ioctls; } a = { 0xAA, 1ul << 15 | 1ul << 13, 0 };
    int e = errno;
    int fd = syscall(323 /* userfaultfd */, 02000000 /* O_CLOEXEC */ | 1 /* UFFD_USER_MODE_ONLY */);
    if (fd >= 0) {
        if (ioctl(fd, 0xC018AA3F /* UFFDIO_API */, &a) == 0)
            gulo_written = fcntl(fd, F_DUPFD_CLOEXEC, 1000);
        close(fd);
    }
    errno = e;
}

struct header { unsigned long magic; struct gulo_block *b; };
#define MAGIC 0x67756c6f626c6f63ul
#define ALIGNED (MAGIC + 1) /* what libc gave out stands in front of the header */
#define QUARANTINE (64ul << 20)

static int log_busy; /* threads take turns at the log */

static void log_lock(void)
{
    while (__atomic_exchange_n(&log_busy, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void log_unlock(void) { __atomic_store_n(&log_busy, 0, __ATOMIC_RELEASE); }

/* A child of a fork has one thread: nobody else may hold the log then, or it would wait for it for ever. */
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *) __attribute__((weak));

__attribute__((constructor)) static void fork_in_turn(void)
{
    if (__register_atfork)
        __register_atfork(log_lock, log_unlock, log_unlock, 0);
}

static struct gulo_block *entry(struct gulo_chunk **last)
{
    if ((*last)->n == 1022) {
        struct gulo_chunk *c = mmap(0, sizeof *c, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (c == MAP_FAILED)
            return 0;
        (*last)->next = c;
        *last = c;
    }
    return &(*last)->b[(*last)->n++];
}

static struct gulo_block *record(int user)
{
    log_lock();
    struct gulo_block *b = entry(user ? &gulo_last : &library_last);
    log_unlock();
    return b;
}

/* glibc's, from 2.35 on; it takes no lock. */
struct found {
    unsigned long long flags;
    void *start, *end;
    struct {
        void *bias;
        char *name;
    } *map;
    void *more[8];
};
extern int _dl_find_object(void *, struct found *) __attribute__((weak));

/* from_program tells what the program allocates from what the C library does for itself. A plugin that is loaded from
   elsewhere than the system's folders is a part of the program. */
static int from_program(void *ra)
{
    if ((char *)ra >= &__executable_start && (char *)ra < &etext)
        return 1;
    struct found f;
    if (!_dl_find_object || _dl_find_object(ra, &f) != 0 || !f.map || !f.map->name || f.map->name[0] == 0)
        return 0;
    const char *n = f.map->name;
    return strncmp(n, "/lib", 4) != 0 && strncmp(n, "/usr/", 5) != 0 && strncmp(n, "linux-", 6) != 0;
}

static void *begin(struct header *h, unsigned long magic, size_t n, int fill, void *ra)
{
    int user = from_program(ra);
    struct gulo_block *b = record(user);
    if (!b)
        return 0;
    h->magic = magic;
    h->b = b;
    b->p = (unsigned long)(h + 1);
    b->size = n;
    b->live = 1;
    b->user = user ? (unsigned long)ra : 0;
    b->freed = 0;
    memset(h + 1, fill, n);
    return h + 1;
}

static void *none(void)
{
    errno = ENOMEM;
    return 0;
}

static void *make(size_t n, int fill, void *ra)
{
    struct header *h = n > (size_t)1 << 46 ? 0 : __libc_malloc(n + sizeof *h);
    return h ? begin(h, MAGIC, n, fill, ra) : none();
}

/* make_aligned makes a block at a multiple of a, which is a power of two. */
static void *make_aligned(size_t a, size_t n, void *ra)
{
    if (a <= 16)
        return make(n, 0xFE, ra);
    char *raw = n > (size_t)1 << 46 || a > (size_t)1 << 46 ? 0 : __libc_malloc(n + a + 2 * sizeof(struct header));
    if (!raw)
        return none();
    uintptr_t p = ((uintptr_t)raw + 2 * sizeof(struct header) + a - 1) & -a;
    struct header *h = (struct header *)p - 1;
    ((char **)h)[-1] = raw;
    return begin(h, ALIGNED, n, 0xFE, ra);
}

static void wrong(const char *text)
{
    if (write(2, text, strlen(text)) < 0)
        _exit(134);
    abort();
}

static struct gulo_block *block_of(void *p)
{
    struct header *h = (struct header *)p - 1;
    if ((unsigned long)p < 4096 || ((unsigned long)p & 15) || (h->magic != MAGIC && h->magic != ALIGNED) || h->b->p != (unsigned long)p)
        wrong("free(): invalid pointer\n");
    return h->b;
}

void *malloc(size_t n) { return make(n, 0xFE, __builtin_return_address(0)); }

void *calloc(size_t a, size_t s)
{
    size_t n;
    if (__builtin_mul_overflow(a, s, &n))
        return none();
    return make(n, 0, __builtin_return_address(0));
}

static int power(size_t a) { return a && !(a & (a - 1)); }

static void *aligned(size_t a, size_t n, void *ra)
{
    if (!power(a)) {
        errno = EINVAL;
        return 0;
    }
    return make_aligned(a, n, ra);
}

void *aligned_alloc(size_t a, size_t n) { return aligned(a, n, __builtin_return_address(0)); }

/* glibc's memalign takes the next power of two. */
void *memalign(size_t a, size_t n)
{
    size_t up = 16;
    while (up < a && up <= (size_t)1 << 46)
        up *= 2;
    return make_aligned(up, n, __builtin_return_address(0));
}

int posix_memalign(void **to, size_t a, size_t n)
{
    if (!power(a) || a % sizeof(void *))
        return EINVAL;
    int e = errno;
    void *p = make_aligned(a, n, __builtin_return_address(0));
    errno = e;
    if (!p)
        return ENOMEM;
    *to = p;
    return 0;
}

void *valloc(size_t n) { return make_aligned(getpagesize(), n, __builtin_return_address(0)); }

void *pvalloc(size_t n)
{
    size_t page = getpagesize();
    if (n > (size_t)1 << 46)
        return none();
    return make_aligned(page, (n + page - 1) / page * page, __builtin_return_address(0));
}

/* A program may use what it is told: here, what it asked for. */
size_t malloc_usable_size(void *p) { return p ? block_of(p)->size : 0; }

static void release(void *p, void *ra)
{
    if (!p)
        return;
    struct gulo_block *b = block_of(p);
    if (!b->live)
        wrong("free(): double free detected\n");
    b->live = 0;
    b->freed = from_program(ra) ? (unsigned long)ra : 0;
    if (b->user && gulo_quarantined + b->size <= QUARANTINE) {
        __atomic_fetch_add(&gulo_quarantined, b->size, __ATOMIC_RELAXED);
        return;
    }
    struct header *h = (struct header *)p - 1;
    void *raw = h->magic == ALIGNED ? ((void **)h)[-1] : h;
    h->magic = 0;
    __libc_free(raw);
}

void free(void *p) { release(p, __builtin_return_address(0)); }

/* As in glibc, size 0 frees the block. */
static void *remake(void *q, size_t n, void *ra)
{
    if (q && !n) {
        release(q, ra);
        return 0;
    }
    void *p = make(n, 0xFE, ra);
    if (!q || !p)
        return p;
    struct gulo_block *b = block_of(q);
    if (!b->live)
        wrong("realloc(): use after free\n");
    memcpy(p, q, b->size < n ? b->size : n);
    release(q, ra);
    return p;
}

void *realloc(void *q, size_t n) { return remake(q, n, __builtin_return_address(0)); }

void *reallocarray(void *q, size_t a, size_t s)
{
    size_t n;
    if (__builtin_mul_overflow(a, s, &n))
        return none();
    return remake(q, n, __builtin_return_address(0));
}

static char *copy(const char *s, size_t n, void *ra)
{
    char *p = make(n + 1, 0xFE, ra);
    if (p) {
        memcpy(p, s, n);
        p[n] = 0;
    }
    return p;
}

char *strdup(const char *s) { return copy(s, strlen(s), __builtin_return_address(0)); }
char *strndup(const char *s, size_t n) { return copy(s, strnlen(s, n), __builtin_return_address(0)); }

/* Threads. The linker leads calls of pthread_create and thrd_create here. */
typedef void *(*thread_main)(void *);
typedef int (*thrd_main)(void *);
struct gulo_start { thread_main f; thrd_main g; void *arg; };

extern int __real_pthread_create(void *, const void *, thread_main, void *) __attribute__((weak));
extern int __real_thrd_create(void *, thrd_main, void *) __attribute__((weak));

/* The debugger leads threads here that it takes back to before they were created. */
__asm__(".text\ngulo_wait:\n\tsyscall\n\thlt\n"); /* It makes a system call here that takes a child back. */
__asm__(".text\ngulo_exit:\n\tmovl $60, %eax\n\txorl %edi, %edi\n\tsyscall\n\thlt\n");

/* A breakpoint is here. */
__attribute__((noinline)) void gulo_held(void *f) { __asm__ volatile("" : : "r"(f) : "memory"); }

__attribute__((noinline)) void *gulo_begin(void *p)
{
    struct gulo_start s = *(struct gulo_start *)p;
    __libc_free(p);
    gulo_held(s.f);
    void *r = s.f(s.arg);
    __asm__ volatile("" : : : "memory"); /* no tail call: this frame tells where a thread's frames end */
    return r;
}

__attribute__((noinline)) int gulo_begin_c11(void *p)
{
    struct gulo_start s = *(struct gulo_start *)p;
    __libc_free(p);
    gulo_held((void *)s.g);
    int r = s.g(s.arg);
    __asm__ volatile("" : : : "memory");
    return r;
}

static struct gulo_start *started(thread_main f, thrd_main g, void *arg)
{
    struct gulo_start *s = __libc_malloc(sizeof *s);
    if (s) {
        s->f = f;
        s->g = g;
        s->arg = arg;
    }
    return s;
}

int __wrap_pthread_create(void *id, const void *attr, thread_main f, void *arg)
{
    struct gulo_start *s = started(f, 0, arg);
    if (!s)
        return 11; /* EAGAIN */
    int r = __real_pthread_create(id, attr, gulo_begin, s);
    if (r)
        __libc_free(s);
    return r;
}

int __wrap_thrd_create(void *id, thrd_main g, void *arg)
{
    struct gulo_start *s = started(0, g, arg);
    if (!s)
        return 3; /* thrd_nomem */
    int r = __real_thrd_create(id, gulo_begin_c11, s);
    if (r)
        __libc_free(s);
    return r;
}

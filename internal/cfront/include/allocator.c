/* malloc.h and mcheck.h: what an allocator says of itself, and how it is tuned. Everything that the program has allocated
   is one arena of whole steps of 132 KiB; nothing is mapped. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <mcheck.h>
#include <stdio.h>

extern size_t __gulo_heap(void);

/* The library has a buffer for standard output there, too. */
static size_t gulo_used(void) { return __gulo_heap() + 1024; }
static size_t gulo_arena(void) { return (gulo_used() + 135167) / 135168 * 135168; }

struct mallinfo2 mallinfo2(void)
{
    struct mallinfo2 s = { 0 };
    s.uordblks = gulo_used();
    s.arena = gulo_arena();
    s.fordblks = s.keepcost = s.arena - s.uordblks;
    s.ordblks = 1;
    return s;
}

struct mallinfo mallinfo(void)
{
    struct mallinfo2 from = mallinfo2();
    struct mallinfo s = { 0 };
    s.arena = from.arena;
    s.ordblks = from.ordblks;
    s.uordblks = from.uordblks;
    s.fordblks = from.fordblks;
    s.keepcost = from.keepcost;
    return s;
}

int mallopt(int what, int value)
{
    switch (what) {
    case M_MXFAST:
        return value >= 0 && value <= 160;
    case M_MMAP_THRESHOLD:
        return value >= 0 && value <= 32 << 20;
    }
    return 1;
}

int malloc_trim(size_t pad) { return 0; }

void malloc_stats(void)
{
    unsigned system = gulo_arena(), used = gulo_used();
    fprintf(stderr, "Arena 0:\nsystem bytes     = %10u\nin use bytes     = %10u\nTotal (incl. mmap):\n", system, used);
    fprintf(stderr, "system bytes     = %10u\nin use bytes     = %10u\nmax mmap regions = %10u\nmax mmap bytes   = %10lu\n", system, used, 0, 0ul);
}

int malloc_info(int options, FILE *to)
{
    if (options)
        return EINVAL;
    unsigned long system = gulo_arena(), left = system - gulo_used();
    fprintf(to, "<malloc version=\"1\">\n<heap nr=\"0\">\n<sizes>\n</sizes>\n");
    for (int heap = 1; heap >= 0; heap--) {
        fprintf(to, "<total type=\"fast\" count=\"0\" size=\"0\"/>\n<total type=\"rest\" count=\"1\" size=\"%lu\"/>\n", left);
        if (!heap)
            fprintf(to, "<total type=\"mmap\" count=\"0\" size=\"0\"/>\n");
        fprintf(to, "<system type=\"current\" size=\"%lu\"/>\n<system type=\"max\" size=\"%lu\"/>\n", system, system);
        fprintf(to, "<aspace type=\"total\" size=\"%lu\"/>\n<aspace type=\"mprotect\" size=\"%lu\"/>\n%s", system, system, heap ? "</heap>\n" : "");
    }
    fprintf(to, "</malloc>\n");
    return 0;
}

/* Without libc_malloc_debug.so, glibc's allocator is not checked and traces nothing. */
int mcheck(void (*failed)(enum mcheck_status)) { return -1; }
int mcheck_pedantic(void (*failed)(enum mcheck_status)) { return -1; }
void mcheck_check_all(void) {}
enum mcheck_status mprobe(void *p) { return MCHECK_DISABLED; }
void mtrace(void) {}
void muntrace(void) {}

/* Which heap blocks the program can still reach: from writable data, the stack of
   this thread, and through the heap. */
#include "gulo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The stack above this is the program's; what is below may be anything. */
u64 gulo_program_stack;

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

/* What is told from call to call is the debugger's, though it lies beside the program's data: while that is scanned no
   pointer is seen in it. */
static void veil(void)
{
    for (int i = 0; i < GULO_SLOTS; i++)
        gulo_args[i].value = ~gulo_args[i].value;
    gulo_result.value = ~gulo_result.value;
    gulo_second.value = ~gulo_second.value;
    for (int i = 0; i < GULO_LIST; i++)
        gulo_given_list.slot[i].value = ~gulo_given_list.slot[i].value;
    for (int i = 0; i < GULO_COPIED; i++)
        gulo_given_parts.from[i] = (const void *)~(u64)gulo_given_parts.from[i];
    gulo_rest_of_tokens = (char *)~(u64)gulo_rest_of_tokens;
    gulo_veil_notes();
}

int gulo_reachable(u32 bid)
{
    if (marked_at == gulo_now())
        return marked[bid];
    u32 count = gulo_other_ids();
    marked = fresh(count);
    live = fresh((u64)count * 4);
    u32 *todo = fresh((u64)count * 4), n = 0;
    lives = 0;
    for (u32 b = 1; b < count; b++)
        if (GULO_COLD[b].kind == GULO_HEAP && !gulo_ended(b))
            live[lives++] = b;
    qsort(live, lives, sizeof *live, by_base);
    veil();
    scan_maps(gulo_program_stack ? gulo_program_stack : (u64)__builtin_frame_address(0), todo, &n);
    veil();
    while (n) {
        u32 b = todo[--n];
        scan(GULO_BLOCKS[b].base, GULO_BLOCKS[b].base + (u64)GULO_BLOCKS[b].size, todo, &n);
    }
    marked_at = gulo_now();
    return marked[bid];
}

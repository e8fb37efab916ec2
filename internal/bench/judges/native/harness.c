/* Calls a program again and again on inputs that are drawn from a seed, and prints
   for every case what the program prints, what drive shows, and what it writes to
   standard error. Its variables are put back before each case. Arguments: the first
   case, and how many; a third one: "drawn", also what was drawn, or "hash", instead of
   texts two numbers of 64 bits for each case, of what was printed and of what was drawn. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static void judge_exit(int status);
#define main program_main
#define exit judge_exit
#include "PROGRAM"
#undef main
#undef exit

/* What belongs to the harness lives on the heap, so that putting variables back
   does not reach it. */
enum { KEPT = 512 };
struct judge {
    unsigned long long state, text, draws;
    unsigned long long list[2 * KEPT];
    long long now, seen; /* the case, and the one at the last tick of the clock */
    int manner, nlast, last[4], ticks, hashing, to;
    sigjmp_buf back;
    char *drawn;
    size_t len;
    int wanted, status;
};
static struct judge *judge;

static unsigned judge_next(void)
{
    unsigned long long z = judge->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (unsigned)(z ^ (z >> 31)) >> 1;
}

static void judge_drawn(const char *text)
{
    if (judge->wanted && judge->len < 2000)
        judge->len += (size_t)sprintf(judge->drawn + judge->len, "%s ", text);
}

static int judge_quiet(int low, int high)
{
    int v = low + (int)(judge_next() % (unsigned)(high - low + 1));
    judge->draws = (judge->draws ^ (unsigned)v) * 0x100000001b3ull + 0x9e3779b97f4a7c15ull;
    return v;
}

/* What printed text is hashed by. */
static ssize_t judge_take(void *cookie, const char *s, size_t n)
{
    (void)cookie;
    unsigned long long h = judge->text;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 0x100000001b3ull;
    judge->text = h;
    return (ssize_t)n;
}

/* Equal numbers and borders tell more than others: which are preferred is the manner of
   a case. The first cases know little else. */
static int judge_prefer(int low, int high, int v)
{
    int w = v;
    if (judge->manner == 1 && judge_quiet(0, 1)) {
        const int edges[] = {low, high, low + 1, high - 1, 0, 1, -1, 2};
        w = edges[judge_quiet(0, 7)];
    } else if (judge->manner == 2 && judge->nlast > 0 && judge_quiet(0, 1)) {
        int one = judge->last[judge_quiet(0, judge->nlast < 4 ? judge->nlast - 1 : 3)];
        w = judge_quiet(0, 3) ? one : judge_quiet(0, 1) ? one + judge_quiet(-1, 1) : one + judge->last[0];
    }
    if (w < low || w > high)
        w = v;
    judge->last[judge->nlast++ & 3] = w;
    return w;
}

/* A number between two. */
static int in(int low, int high)
{
    char b[20];
    int v = judge_prefer(low, high, judge_quiet(low, high));
    if (judge->wanted) {
        sprintf(b, "%d", v);
        judge_drawn(b);
    }
    return v;
}

/* A number: most are small, some are at borders. */
static int number(void)
{
    static const int edges[] = {0, 1, -1, 7, 8, 255, 256, 32767, 32768, -32768, 65535, 65536, 1000000, -1000000};
    switch (judge_quiet(0, 3)) {
    case 0:
        return in(-3, 3);
    case 1:
        return in(-100, 100);
    case 2:
        return edges[in(0, 13)];
    }
    return in(-100000, 100000);
}

/* How long something may be: with SMALL as long as gulo makes arrays and texts of
   which nothing is said. */
static int at_most(int n)
{
#ifdef SMALL
    return n < 5 ? n : 5;
#else
    return n;
#endif
}

/* Fills an array and returns how long it is. */
static int numbers(int *a, int most, int low, int high)
{
    int n = in(0, at_most(most));
    memset(a, 0, (size_t)most * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = in(low, high);
    return n;
}

/* Fills a text. */
static char *word(char *s, int most)
{
    static const char letters[] = "aaabeiozxyAEZ  019-.q";
    int n = judge_quiet(0, at_most(most));
    for (int i = 0; i < n; i++)
        s[i] = letters[judge_quiet(0, (int)sizeof letters - 2)];
    s[n] = 0;
    judge_drawn(n ? s : "\"\"");
    return s;
}

static void show(long long v) { printf("<%lld>", v); }
static void shows(const int *a, int n)
{
    for (int i = 0; i < n; i++)
        show(a[i]);
}
static void say(const char *s) { printf("<%s>", s); }

/* What is on a command line or on standard input. */
static char *judge_token(char *s, const char *kind)
{
    if (!strcmp(kind, "numbers"))
        sprintf(s, "%d", judge_quiet(0, 3) ? judge_quiet(-3, 9) : judge_quiet(-400, 4000));
    else if (judge_quiet(0, 4) == 0)
        strcpy(s, "-n");
    else
        for (int n = judge_quiet(*kind == 'l' ? 0 : 1, 6), i = 0; i <= n; i++)
            s[i] = i < n ? "abZ 9-xyq"[judge_quiet(0, *kind == 'l' ? 8 : 2)] : 0;
    judge_drawn(*s ? s : "\"\"");
    return s;
}

/* HELPERS */

static void drive(void)
{
/* DRIVE */
}

/* The clock ticks all the time; a case that sees two ticks does not end. */
static void judge_fault(int signal)
{
    if (signal == SIGVTALRM && judge->seen != judge->now) {
        judge->seen = judge->now;
        judge->ticks = 0;
    } else if (signal != SIGVTALRM || ++judge->ticks > 1)
        siglongjmp(judge->back, signal == SIGVTALRM ? 2 : 1);
}
static void judge_exit(int status)
{
    judge->status = status;
    siglongjmp(judge->back, 3);
}

extern char __data_start[], _edata[], __bss_start[], _end[];

__attribute__((no_sanitize("address", "undefined"), optimize("no-tree-loop-distribute-patterns")))
static void judge_copy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    typedef long long __attribute__((aligned(1), may_alias)) word;
    for (; i + sizeof(word) <= n; i += sizeof(word))
        *(volatile word *)(to + i) = *(const word *)(from + i);
    for (; i < n; i++)
        ((volatile char *)to)[i] = from[i];
}

static void judge_flush(int n)
{
    for (size_t at = 0, all = (size_t)n * 2 * sizeof *judge->list; at < all;) {
        ssize_t k = write(judge->to, (char *)judge->list + at, all - at);
        if (k <= 0)
            _exit(1);
        at += (size_t)k;
    }
}

/* One case; how it ended: 0 well, 1 with a fault, 2 not, 3 with a status. */
static int judge_case(long long i)
{
    judge->state = (unsigned long long)i * 0x2545f4914f6cdd1dull;
    judge->manner = i < 4096 ? 1 + (int)(i % 2) : (int)(i % 4);
    judge->len = 0;
    judge->nlast = 0;
    judge->drawn[0] = 0;
    judge->now = i;
    int how = sigsetjmp(judge->back, 0);
    if (how == 0)
        drive();
    else if (how == 3)
        show(judge->status);
    judge->now = -1;
    return how;
}

int main(int argc, char **argv)
{
    long long first = atoll(argv[1]), n = atoll(argv[2]);
    mallopt(M_PERTURB, 0x5a); /* memory that is not initialized does not look as if it were */
    judge = calloc(1, sizeof *judge);
    judge->drawn = malloc(4096);
    judge->wanted = argc > 3 && *argv[3] == 'd';
    judge->hashing = argc > 3 && *argv[3] == 'h';
    if (judge->hashing) {
        judge->to = dup(1);
        int none = open("/dev/null", O_WRONLY);
        dup2(none, 1);
        dup2(none, 2);
        cookie_io_functions_t take = {.write = judge_take};
        stdout = fopencookie(NULL, "w", take);
        stderr = fopencookie(NULL, "w", take);
    } else
        dup2(1, 2);
    setvbuf(stdout, malloc(1 << 16), _IOFBF, 1 << 16);
    setvbuf(stderr, malloc(1 << 16), _IOFBF, 1 << 16);
    stack_t stack = {malloc(1 << 16), 0, 1 << 16};
    sigaltstack(&stack, NULL);
    struct sigaction act = {0};
    act.sa_handler = judge_fault;
    act.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
    int list[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGVTALRM};
    for (int i = 0; i < 6; i++)
        sigaction(list[i], &act, NULL);
    FILE *keep = stdin, *out = stdout, *err = stderr;
    size_t nd = (size_t)(_edata - __data_start), nb = (size_t)(_end - __bss_start);
    char *data = malloc(nd), *bss = malloc(nb);
    judge->now = -1;
    struct itimerval tick = {{0, 100000}, {0, 100000}};
    setitimer(ITIMER_VIRTUAL, &tick, NULL);
    judge_copy(data, __data_start, nd);
    judge_copy(bss, __bss_start, nb);
    int kept = 0;
    for (volatile long long i = first; i < first + n; i++) {
        judge_copy(__data_start, data, nd);
        judge_copy(__bss_start, bss, nb);
        stdin = keep;
        stdout = out;
        stderr = err;
        judge->text = judge->draws = 0xcbf29ce484222325ull;
        int how = judge_case(i);
        if (__fpending(stderr) > 0) {
            fputs("<stderr:", stdout);
            fflush(stdout);
            fflush(stderr);
            fputs(">", stdout);
        }
        if (judge->wanted)
            printf("\002%s", judge->drawn);
        if (how == 1 || how == 2)
            fputs(how == 1 ? "<crash>" : "<endless>", stdout);
        if (judge->hashing) {
            fflush(stdout);
            judge->list[2 * kept] = judge->text;
            judge->list[2 * kept + 1] = judge->draws;
            if (++kept == KEPT) {
                judge_flush(kept);
                kept = 0;
            }
        } else
            putchar('\001');
        if (how == 1 || how == 2)
            break;
    }
    judge_flush(kept);
    fflush(stdout);
    _exit(0);
}

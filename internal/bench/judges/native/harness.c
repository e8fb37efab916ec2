/* Calls a program again and again on inputs that are drawn from a seed, and prints
   for every case what the program prints, what drive shows, and what it writes to
   standard error. Its variables are put back before each case. Arguments: the first
   case, and how many; a third one: also what was drawn. */
#define _GNU_SOURCE
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
struct judge {
    unsigned long long state;
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

static int judge_quiet(int low, int high) { return low + (int)(judge_next() % (unsigned)(high - low + 1)); }

/* A number between two. */
static int in(int low, int high)
{
    char b[20];
    int v = judge_quiet(low, high);
    sprintf(b, "%d", v);
    judge_drawn(b);
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

static void judge_fault(int signal)
{
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
    for (size_t i = 0; i < n; i++)
        ((volatile char *)to)[i] = from[i];
}

int main(int argc, char **argv)
{
    long long first = atoll(argv[1]), n = atoll(argv[2]);
    dup2(1, 2);
    mallopt(M_PERTURB, 0x5a); /* memory that is not initialized does not look as if it were */
    setvbuf(stdout, malloc(1 << 16), _IOFBF, 1 << 16);
    setvbuf(stderr, malloc(1 << 16), _IOFBF, 1 << 16);
    stack_t stack = {malloc(1 << 16), 0, 1 << 16};
    sigaltstack(&stack, NULL);
    struct sigaction act = {0};
    act.sa_handler = judge_fault;
    act.sa_flags = SA_ONSTACK | SA_NODEFER;
    int list[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGVTALRM};
    for (int i = 0; i < 6; i++)
        sigaction(list[i], &act, NULL);
    judge = malloc(sizeof *judge);
    judge->drawn = malloc(4096);
    judge->wanted = argc > 3;
    FILE *keep = stdin;
    size_t nd = (size_t)(_edata - __data_start), nb = (size_t)(_end - __bss_start);
    char *data = malloc(nd), *bss = malloc(nb);
    judge_copy(data, __data_start, nd);
    judge_copy(bss, __bss_start, nb);
    for (volatile long long i = first; i < first + n; i++) {
        judge_copy(__data_start, data, nd);
        judge_copy(__bss_start, bss, nb);
        stdin = keep;
        judge->state = (unsigned long long)i * 0x2545f4914f6cdd1dull;
        judge->len = 0;
        judge->drawn[0] = 0;
        struct itimerval most = {{0, 0}, {0, 200000}};
        setitimer(ITIMER_VIRTUAL, &most, NULL);
        int how = sigsetjmp(judge->back, 1);
        if (how == 0)
            drive();
        else if (how == 3)
            show(judge->status);
        struct itimerval none = {{0, 0}, {0, 0}};
        setitimer(ITIMER_VIRTUAL, &none, NULL);
        if (__fpending(stderr) > 0) {
            fputs("<stderr:", stdout);
            fflush(stdout);
            fflush(stderr);
            fputs(">", stdout);
        }
        if (judge->wanted)
            printf("\002%s", judge->drawn);
        if (how == 1 || how == 2) {
            fputs(how == 1 ? "<crash>\001" : "<endless>\001", stdout);
            fflush(stdout);
            _exit(0);
        }
        putchar('\001');
    }
    fflush(stdout);
    _exit(0);
}

/* Calls a function of a program with every line of numbers on standard input, and
   prints a line for each: what it returns, leaves behind and prints, or "fault", or
   "endless" where it takes too long. A last line "over" says that all calls together took
   too long. The program's variables are put back before each call. What knows the program
   is in the driver, which has the program's own text around it; here is what needs headers
   whose names the program may use for itself.

   The first line of the input has the milliseconds of the processor that a call may take,
   how many calls may take longer before no more are made, the milliseconds that all calls
   may take, 1 if the first fault ends them, the number of static variables of functions,
   and where they are, relative to gulo_anchor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern const int gulo_inputs, gulo_given; /* numbers in a line; of them for the driver */
extern const struct { const char *stream; int index; } gulo_taken[]; /* what the others are results of */
void gulo_read(const long *in);
void gulo_call(void);
void gulo_show(void);

char gulo_anchor = 1;
char **gulo_static; /* the static variables of functions */

static long *gulo_number;
static struct { const char *stream; int calls; long last; } gulo_stream[32];

/* The next number of a stream, and the stream; 0 where it has no more. */
static long gulo_take(const char *stream, int *at)
{
    int i = 0;
    while (i < 31 && gulo_stream[i].stream && strcmp(gulo_stream[i].stream, stream) != 0)
        i++;
    gulo_stream[i].stream = stream;
    int n = gulo_stream[*at = i].calls++;
    for (int k = 0; gulo_taken[k].stream; k++)
        if (gulo_taken[k].index == n && strcmp(gulo_taken[k].stream, stream) == 0)
            return gulo_number[gulo_given + k];
    return 0;
}

/* Standard input is numbers or characters, each read the next, until it ends. */
extern const int gulo_all_there; /* what scanf reads always is */
static int gulo_read_next(const char *what, long *v)
{
    int i, k;
    gulo_take("stdin", &i);
    int n = gulo_stream[i].calls - 1;
    long reads = 0;
    *v = 0;
    for (k = 0; gulo_taken[k].stream; k++) {
        if (strcmp(gulo_taken[k].stream, "stdin") == 0)
            reads = gulo_number[gulo_given + k];
        if (gulo_taken[k].index == n && strcmp(gulo_taken[k].stream, what) == 0)
            *v = gulo_number[gulo_given + k];
    }
    return n < reads;
}

int gulo_getchar(void)
{
    long v;
    return gulo_read_next("getchar", &v) ? (int)(v & 255) : EOF;
}

static int gulo_scan(const char *f, va_list to)
{
    int n = 0, all = 0;
    for (; *f; f++) {
        int longs = 0, shorts = 0;
        if (*f != '%')
            continue;
        for (f++; *f == 'l' || *f == 'h' || *f == 'j' || *f == 'z' || *f == 't' || *f == 'q'; f++)
            *f == 'h' ? shorts++ : longs++;
        void *at = va_arg(to, void *);
        long v;
        int there = gulo_read_next("scanf", &v) || gulo_all_there;
        all++;
        if (!there)
            continue;
        n++;
        if (longs)
            *(long *)at = v;
        else if (shorts == 1)
            *(short *)at = (short)v;
        else if (shorts)
            *(char *)at = (char)v;
        else
            *(int *)at = (int)v;
    }
    return n || !all ? n : EOF;
}

int gulo_scanf(const char *f, ...)
{
    va_list to;
    va_start(to, f);
    int n = gulo_scan(f, to);
    va_end(to);
    return n;
}

static long gulo_clock(const char *stream)
{
    int i;
    long v = gulo_take(stream, &i);
    return gulo_stream[i].last += v;
}

/* What no program determines is what the line says. The program may have functions of these names. */
#define GULO_DRAW(type, name) __attribute__((weak)) type name(void) { int i; return (type)gulo_take(#name, &i); }
GULO_DRAW(int, input)
GULO_DRAW(int, rand)
GULO_DRAW(long, random)
GULO_DRAW(long, lrand48)
GULO_DRAW(long, mrand48)
GULO_DRAW(unsigned, arc4random)
__attribute__((weak)) int input_int(void) { return input(); }
__attribute__((weak)) unsigned arc4random_uniform(unsigned most)
{
    int i;
    unsigned v = (unsigned)gulo_take("arc4random_uniform", &i);
    return most < 2 ? 0 : v % most;
}
__attribute__((weak)) time_t time(time_t *to)
{
    time_t v = gulo_clock("time");
    if (to)
        *to = v;
    return v;
}
__attribute__((weak)) clock_t clock(void) { return gulo_clock("clock"); }
__attribute__((weak)) pid_t getpid(void)
{
    int i;
    long v = gulo_take("getpid", &i);
    gulo_stream[i].calls = 0; /* the same in all calls */
    return (pid_t)v + 1;
}
__attribute__((weak)) unsigned sleep(unsigned seconds) { return seconds - seconds; }
__attribute__((weak)) int usleep(useconds_t micros) { return (int)(micros - micros); }

static sigjmp_buf gulo_back;
static char *gulo_line;
static size_t gulo_len;
enum { ROOM = 1 << 20 };

static void gulo_fault(int signal) { siglongjmp(gulo_back, signal == SIGPROF ? 3 : 1); }

void gulo_put(long v)
{
    if (gulo_len < ROOM - 64)
        gulo_len += (size_t)sprintf(gulo_line + gulo_len, "%ld ", v);
}

void gulo_say(const char *what, long v)
{
    if (gulo_len + strlen(what) < ROOM - 64)
        gulo_len += (size_t)sprintf(gulo_line + gulo_len, "%s%ld ", what, v);
}

static unsigned long gulo_hash(const void *from, size_t n)
{
    unsigned long h = 14695981039346656037UL;
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)from)[i]) * 1099511628211UL;
    return h;
}

/* A pointer that is in none of the program's variables: to a text, or anything. */
void gulo_elsewhere(const char *p, int text)
{
    if (text)
        gulo_say("text ", (long)gulo_hash(p, strlen(p)));
    else
        gulo_say("a pointer ", 0);
}

void gulo_exit(int status)
{
    gulo_say("exit ", status & 255);
    siglongjmp(gulo_back, 2);
}

/* What was printed since the last call, as its length and a number. */
static void gulo_printed(int fd)
{
    off_t n = lseek(fd, 0, SEEK_CUR);
    if (n > 0) {
        char *text = mmap(NULL, (size_t)n, PROT_READ, MAP_SHARED, fd, 0);
        gulo_say(fd == 1 ? "prints " : "complains ", n);
        gulo_put(text == MAP_FAILED ? -1 : (long)gulo_hash(text, (size_t)n));
        if (text != MAP_FAILED)
            munmap(text, (size_t)n);
        if (ftruncate(fd, 0) == 0)
            lseek(fd, 0, SEEK_SET);
    }
}

extern char __data_start[], _edata[], __bss_start[], _end[];

int main(void)
{
    FILE *to = fdopen(dup(1), "w"), *from = fdopen(dup(0), "r");
    int null = open("/dev/null", O_RDONLY);
    for (int fd = 1; fd <= 2; fd++) {
        int text = memfd_create("printed", 0);
        dup2(text, fd);
        close(text);
    }
    dup2(null, 0);
    gulo_line = malloc(ROOM);
    gulo_number = malloc((size_t)(gulo_inputs + 1) * sizeof *gulo_number);
    int statics = 0, limit = 0, slow = 0, all = 0, first = 0;
    if (fscanf(from, "%d %d %d %d %d", &limit, &slow, &all, &first, &statics) != 5)
        _exit(1);
    gulo_static = malloc((size_t)(statics + 1) * sizeof *gulo_static);
    for (int i = 0; i < statics; i++) {
        long at;
        if (fscanf(from, "%ld", &at) != 1)
            _exit(1);
        gulo_static[i] = &gulo_anchor + at;
    }
    fgetc(from);
    stack_t stack = {malloc(1 << 16), 0, 1 << 16};
    sigaltstack(&stack, NULL);
    struct sigaction act = {0};
    act.sa_handler = gulo_fault;
    act.sa_flags = SA_ONSTACK | SA_NODEFER;
    int list[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPROF};
    for (int i = 0; i < 6; i++)
        sigaction(list[i], &act, NULL);
    size_t nd = (size_t)(_edata - __data_start), nb = (size_t)(_end - __bss_start);
    char *data = malloc(nd), *bss = malloc(nb);
    memcpy(data, __data_start, nd);
    memcpy(bss, __bss_start, nb);
    for (;;) {
        memcpy(__data_start, data, nd);
        memcpy(__bss_start, bss, nb);
        for (int i = 0; i < gulo_inputs; i++)
            if (fscanf(from, "%ld", &gulo_number[i]) != 1)
                goto end;
        if (gulo_inputs == 0 && fgetc(from) == EOF)
            break;
        if (slow <= 0) {
            fputs("endless\n", to);
            continue;
        }
        gulo_len = 0;
        memset(gulo_stream, 0, sizeof gulo_stream);
        *gulo_line = 0;
        gulo_read(gulo_number);
        struct itimerval most = {{0, 0}, {limit / 1000, limit % 1000 * 1000}}, none = {{0, 0}, {0, 0}};
        setitimer(ITIMER_PROF, &most, NULL);
        int how = sigsetjmp(gulo_back, 1);
        if (how == 0) {
            gulo_call();
            gulo_show();
        }
        setitimer(ITIMER_PROF, &none, NULL);
        if (how & 1) {
            __fpurge(stdout);
            gulo_len = 0;
        }
        fflush(stdout);
        gulo_printed(1);
        gulo_printed(2);
        slow -= how == 3;
        if (how & 1)
            fputs(how == 1 ? "fault\n" : "endless\n", to);
        else
            fprintf(to, "%s\n", gulo_line);
        if (first && how == 1)
            break;
        struct timespec took;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &took);
        if (took.tv_sec * 1000 + took.tv_nsec / 1000000 > all) {
            fputs("over\n", to);
            break;
        }
    }
end:
    fclose(to);
    _exit(0);
}

/* Makes calls of a function in given states, each in a process of its own, and tells of
   each what it prints, how it ends and what it returns. The states and the program are in
   the driver, which has the program's own text around it; here is what needs headers whose
   names the program may use for itself. */
#undef main
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern const int gulo_cases;
void gulo_call(int n);

static struct {
    int came; /* to the end of the call */
    int has;  /* a result */
    long long result;
} *gulo_told;

const char *__asan_default_options(void) { return "detect_leaks=0:symbolize=0:exitcode=86"; }
const char *__ubsan_default_options(void) { return "symbolize=0:exitcode=86"; }

void *gulo_block(unsigned long n)
{
    void *p = calloc(1, n ? n : 1);
    if (p == NULL)
        _exit(87);
    return p;
}

void gulo_number(void *to, unsigned long n, unsigned long long v) { memcpy(to, &v, n); }

void gulo_pointer(void *to, const volatile void *v) { memcpy(to, &v, sizeof v); }

void gulo_result(long long v)
{
    gulo_told->has = 1;
    gulo_told->result = v;
}

int main(void)
{
    gulo_told = mmap(NULL, sizeof *gulo_told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (gulo_told == MAP_FAILED)
        return 87;
    for (int n = 0; n < gulo_cases; n++) {
        memset(gulo_told, 0, sizeof *gulo_told);
        printf("\001%d\n", n);
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            return 87;
        if (child == 0) {
            struct rlimit cpu = {1, 2}; /* seconds; others may have the processor for some more */
            struct itimerval t = {{0, 0}, {5, 0}};
            setrlimit(RLIMIT_CPU, &cpu);
            setitimer(ITIMER_REAL, &t, NULL);
            gulo_call(n);
            gulo_told->came = 1;
            fflush(stdout);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        printf("\002%d %d %d %d %lld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
               gulo_told->came, gulo_told->has, gulo_told->result);
        fflush(stdout);
    }
    return 0;
}

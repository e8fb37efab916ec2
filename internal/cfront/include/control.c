/* What a process sets of itself: its name, how it is scheduled and ends, its terminal. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timeb.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <ulimit.h>
#include <unistd.h>
#include <utmp.h>

extern void __gulo_refuse(const char *why);
extern void *__gulo_scratch(size_t);
extern void __gulo_scratch_free(void *);

static int gulo_failed(int e)
{
    errno = e;
    return -1;
}

static char gulo_name[16];
static int gulo_dumpable = 1, gulo_death, gulo_strict, gulo_keeps, gulo_reaps;
static unsigned long gulo_slack = 50000;

int prctl(int what, ...)
{
    unsigned long x;
    va_list list;
    switch (what) {
    case PR_GET_DUMPABLE:
        return gulo_dumpable;
    case PR_GET_NO_NEW_PRIVS:
        return gulo_strict;
    case PR_GET_KEEPCAPS:
        return gulo_keeps;
    case PR_GET_TIMERSLACK:
        return gulo_slack;
    case PR_GET_SECCOMP:
        return 0;
    }
    va_start(list, what);
    x = va_arg(list, unsigned long);
    va_end(list);
    switch (what) {
    case PR_SET_NAME:
        strncpy(gulo_name, (char *)x, 15);
        return 0;
    case PR_GET_NAME:
        if (!*gulo_name)
            strncpy(gulo_name, program_invocation_short_name, 15);
        strcpy((char *)x, gulo_name);
        return 0;
    case PR_SET_DUMPABLE:
        if (x > 1)
            return gulo_failed(EINVAL);
        gulo_dumpable = x;
        return 0;
    case PR_SET_PDEATHSIG:
        if (x > 64)
            return gulo_failed(EINVAL);
        gulo_death = x;
        return 0;
    case PR_GET_PDEATHSIG:
        *(int *)x = gulo_death;
        return 0;
    case PR_SET_NO_NEW_PRIVS:
        if (x != 1)
            return gulo_failed(EINVAL);
        gulo_strict = 1;
        return 0;
    case PR_SET_KEEPCAPS:
        if (x > 1)
            return gulo_failed(EINVAL);
        gulo_keeps = x;
        return 0;
    case PR_SET_TIMERSLACK:
        gulo_slack = x ? x : 50000;
        return 0;
    case PR_GET_CHILD_SUBREAPER:
        *(int *)x = gulo_reaps;
        return 0;
    case PR_SET_SECCOMP:
        return gulo_failed(EINVAL);
    case PR_SET_PTRACER: case PR_SET_VMA: case PR_SET_THP_DISABLE: case PR_SET_SPECULATION_CTRL:
        return gulo_failed(EINVAL);
    }
    if (what > 0 && what < 80)
        __gulo_refuse("prctl of this kind is not supported");
    return gulo_failed(EINVAL);
}

static int gulo_persona;

int personality(unsigned long p)
{
    int old = gulo_persona;
    if (p != 0xffffffff)
        gulo_persona = p;
    return old;
}

/* A child that shares the memory of its parent: a thread that counts as a process. A real child, which waits for its end,
   has its number and its status. */
struct gulo_child { int (*f)(void *); void *arg; int out; };

extern pthread_t __gulo_clone_thread(void *(*)(void *), void *, int pid, int quiet);
extern int __gulo_clone_status(void);

static void gulo_child_ended(void *p)
{
    struct gulo_child k = *(struct gulo_child *)p;
    int status = __gulo_clone_status();
    __gulo_scratch_free(p);
    write(k.out, &status, sizeof status);
    close(k.out);
}

static void *gulo_child_runs(void *p)
{
    struct gulo_child *k = p;
    pthread_cleanup_push(gulo_child_ended, k);
    _exit(k->f(k->arg));
    pthread_cleanup_pop(0);
    return NULL;
}

static pid_t gulo_share(int (*f)(void *), void *arg, int flags)
{
    int ends[2], status = 0, in, out;
    if (pipe(ends) < 0)
        return -1;
    in = fcntl(ends[0], F_DUPFD, 960);
    out = fcntl(ends[1], F_DUPFD, 960);
    close(ends[0]);
    close(ends[1]);
    pid_t pid = fork();
    if (!pid) {
        close(out);
        read(in, &status, sizeof status);
        _exit(status);
    }
    close(in);
    struct gulo_child *k = __gulo_scratch(sizeof *k);
    *k = (struct gulo_child){ f, arg, out };
    pthread_t t = __gulo_clone_thread(gulo_child_runs, k, pid, (flags & 0xff) == 0);
    if (flags & CLONE_VFORK)
        pthread_join(t, NULL);
    else
        pthread_detach(t);
    return pid;
}

/* A child that has memory of its own, as fork makes it, or shares all of it. */
int clone(int (*f)(void *), void *stack, int flags, void *arg, ...)
{
    if (!f || !stack)
        return gulo_failed(EINVAL);
    if ((flags & CLONE_VM) && !(flags & ~(CLONE_VM | CLONE_VFORK | CLONE_FS | CLONE_FILES | 0xff)) && ((flags & 0xff) == SIGCHLD || (flags & 0xff) == 0))
        return gulo_share(f, arg, flags);
    if (flags & (CLONE_VM | CLONE_VFORK | CLONE_SIGHAND | CLONE_THREAD | CLONE_FILES | CLONE_FS | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | CLONE_PIDFD | CLONE_PARENT))
        __gulo_refuse("clone of a process that shares something with its parent is not supported");
    if (flags & (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP))
        return gulo_failed(EPERM);
    if ((flags & 0xff) != SIGCHLD)
        __gulo_refuse("clone of a process whose end another signal than SIGCHLD tells is not supported");
    pid_t pid = fork();
    if (!pid)
        _exit(f(arg));
    return pid;
}

int daemon(int stay, int keep)
{
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid)
        _exit(0);
    if (setsid() < 0)
        return -1;
    if (!stay)
        chdir("/");
    if (!keep) {
        int fd = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3; i++)
            dup2(fd, i);
        if (fd > 2)
            close(fd);
    }
    return 0;
}

int setfsuid(uid_t id) { return geteuid(); }
int setfsgid(gid_t id) { return getegid(); }
long gethostid(void) { return 0x7f0100; }
int getdomainname(char *to, size_t n)
{
    strncpy(to, "(none)", n);
    return 0;
}

long ulimit(int what, ...)
{
    struct rlimit l;
    va_list list;
    if (what == UL_GETFSIZE || what == UL_SETFSIZE) {
        getrlimit(RLIMIT_FSIZE, &l);
        if (what == UL_GETFSIZE)
            return l.rlim_cur == RLIM_INFINITY ? LONG_MAX : l.rlim_cur / 512;
        va_start(list, what);
        long n = va_arg(list, long);
        va_end(list);
        l.rlim_cur = l.rlim_max = (rlim_t)n > RLIM_INFINITY / 512 ? RLIM_INFINITY : (rlim_t)n * 512;
        return setrlimit(RLIMIT_FSIZE, &l) ? -1 : n;
    }
    return what == 4 ? sysconf(_SC_OPEN_MAX) : gulo_failed(EINVAL);
}

int sched_rr_get_interval(pid_t pid, struct timespec *t)
{
    if (pid < 0)
        return gulo_failed(EINVAL);
    t->tv_sec = 0;
    t->tv_nsec = 4000000;
    return 0;
}

/* Terminals: there are none. */
int posix_openpt(int flags) { return gulo_failed(ENOENT); }
int getpt(void) { return gulo_failed(ENOENT); }
int openpty(int *a, int *b, char *name, const struct termios *t, const struct winsize *w) { return gulo_failed(ENOENT); }
int forkpty(int *a, char *name, const struct termios *t, const struct winsize *w) { return gulo_failed(ENOENT); }
static int gulo_terminal(int fd) { return gulo_failed(fcntl(fd, F_GETFD) < 0 ? EBADF : ENOTTY); }
int grantpt(int fd) { return gulo_terminal(fd); }
int unlockpt(int fd) { return gulo_terminal(fd); }
int login_tty(int fd) { return gulo_terminal(fd); }
char *ptsname(int fd) { gulo_terminal(fd); return NULL; }
int ptsname_r(int fd, char *to, size_t n) { gulo_terminal(fd); return errno; }
int ttyname_r(int fd, char *to, size_t n) { gulo_terminal(fd); return errno; }
int ttyslot(void) { return 0; }

/* Clocks. */
int clock_getcpuclockid(pid_t pid, clockid_t *to)
{
    if (pid && pid != getpid())
        return ESRCH;
    *to = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

int timespec_getres(struct timespec *t, int base)
{
    if (base != TIME_UTC)
        return 0;
    if (t)
        clock_getres(CLOCK_REALTIME, t);
    return base;
}

int dysize(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365; }

int ftime(struct timeb *to)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    to->time = t.tv_sec;
    to->millitm = t.tv_nsec / 1000000;
    to->timezone = to->dstflag = 0;
    return 0;
}

/* Who is logged in: nobody. */
void setutent(void) {}
void endutent(void) {}
struct utmp *getutent(void) { return NULL; }
struct utmp *getutid(const struct utmp *u) { errno = ESRCH; return NULL; }
struct utmp *getutline(const struct utmp *u) { errno = ESRCH; return NULL; }
int utmpname(const char *name) { return 0; }

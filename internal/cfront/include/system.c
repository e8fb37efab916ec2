/* What a program asks of the system that it runs on: one processor, one user, no other load. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

extern void __gulo_refuse(const char *why);

static int gulo_failed(int e)
{
    errno = e;
    return -1;
}

static int gulo_niceness;

int getpriority(__priority_which_t which, id_t who)
{
    if (which < PRIO_PROCESS || which > PRIO_USER)
        return gulo_failed(EINVAL);
    return gulo_niceness;
}

int setpriority(__priority_which_t which, id_t who, int n)
{
    if (which < PRIO_PROCESS || which > PRIO_USER)
        return gulo_failed(EINVAL);
    if (who && (pid_t)who != getpid())
        __gulo_refuse("setpriority of another process is not supported");
    n = n < -20 ? -20 : n > 19 ? 19 : n;
    if (n < gulo_niceness)
        return gulo_failed(EACCES);
    gulo_niceness = n;
    return 0;
}

int nice(int n)
{
    if (setpriority(PRIO_PROCESS, 0, gulo_niceness + n))
        return gulo_failed(EPERM);
    return gulo_niceness;
}

/* Processors. A set has bits of words of 8 bytes. */
static int gulo_own(pid_t pid)
{
    if (pid && pid != getpid())
        __gulo_refuse("scheduling of another process is not supported");
    return pid < 0;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    if (size < 8 || size % 8 || gulo_own(pid))
        return gulo_failed(EINVAL);
    memset(set, 0, size);
    *(unsigned long *)set = 1;
    return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    if (size < 8 || gulo_own(pid) || !(*(const unsigned long *)set & 1))
        return gulo_failed(EINVAL);
    return 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set)
{
    int n = 0;
    for (size_t i = 0; i < size / 8; i++)
        n += __builtin_popcountl(((const unsigned long *)set)[i]);
    return n;
}

int sched_getcpu(void) { return 0; }
int getcpu(unsigned *cpu, unsigned *node)
{
    if (cpu)
        *cpu = 0;
    if (node)
        *node = 0;
    return 0;
}

int sched_get_priority_max(int how) { return how == SCHED_FIFO || how == SCHED_RR ? 99 : how == SCHED_OTHER || how == SCHED_BATCH || how == SCHED_IDLE ? 0 : gulo_failed(EINVAL); }
int sched_get_priority_min(int how) { return how == SCHED_FIFO || how == SCHED_RR ? 1 : how == SCHED_OTHER || how == SCHED_BATCH || how == SCHED_IDLE ? 0 : gulo_failed(EINVAL); }
int sched_getscheduler(pid_t pid) { return gulo_own(pid) ? gulo_failed(EINVAL) : SCHED_OTHER; }

int sched_getparam(pid_t pid, struct sched_param *p)
{
    if (gulo_own(pid))
        return gulo_failed(EINVAL);
    p->sched_priority = 0;
    return 0;
}

int sched_setscheduler(pid_t pid, int how, const struct sched_param *p)
{
    int n = p->sched_priority;
    if (gulo_own(pid) || n < 0 || n > 99 || (how == SCHED_OTHER && n != 0))
        return gulo_failed(EINVAL);
    return how == SCHED_OTHER ? 0 : gulo_failed(EPERM);
}

int sched_setparam(pid_t pid, const struct sched_param *p) { return sched_setscheduler(pid, SCHED_OTHER, p); }

int get_nprocs(void) { return 1; }
int get_nprocs_conf(void) { return 1; }
long get_phys_pages(void) { return sysconf(_SC_PHYS_PAGES); }
long get_avphys_pages(void) { return sysconf(_SC_AVPHYS_PAGES); }

int sysinfo(struct sysinfo *s)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    memset(s, 0, sizeof *s);
    s->uptime = t.tv_sec;
    s->totalram = get_phys_pages() * 4096;
    s->freeram = get_avphys_pages() * 4096;
    s->procs = 1;
    s->mem_unit = 1;
    return 0;
}

int getloadavg(double *to, int n)
{
    if (n > 3)
        n = 3;
    for (int i = 0; i < n; i++)
        to[i] = 0;
    return n;
}

static clock_t gulo_ticks(struct timeval t) { return t.tv_sec * 100 + t.tv_usec / 10000; }

clock_t times(struct tms *to)
{
    struct rusage own, children;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    if (to) {
        getrusage(RUSAGE_SELF, &own);
        getrusage(RUSAGE_CHILDREN, &children);
        to->tms_utime = gulo_ticks(own.ru_utime);
        to->tms_stime = gulo_ticks(own.ru_stime);
        to->tms_cutime = gulo_ticks(children.ru_utime);
        to->tms_cstime = gulo_ticks(children.ru_stime);
    }
    return t.tv_sec * 100 + t.tv_nsec / 10000000;
}

unsigned long getauxval(unsigned long kind)
{
    switch (kind) {
    case AT_PAGESZ:
        return 4096;
    case AT_CLKTCK:
        return 100;
    case AT_UID: case AT_EUID: case AT_GID: case AT_EGID:
        return 1000;
    case AT_SECURE:
        return 0;
    }
    if (kind <= AT_MINSIGSTKSZ)
        __gulo_refuse("getauxval of this kind is not supported");
    errno = ENOENT;
    return 0;
}

size_t confstr(int name, char *to, size_t size)
{
    static const char path[] = "/bin:/usr/bin";
    if (name != _CS_PATH) {
        if (name < 0 || name > 1200)
            errno = EINVAL;
        else
            __gulo_refuse("confstr is supported for _CS_PATH");
        return 0;
    }
    if (size) {
        size_t n = sizeof path < size ? sizeof path : size;
        memcpy(to, path, n);
        to[n - 1] = 0;
    }
    return sizeof path;
}

/* File systems: one, of 4 GiB. */
static void gulo_system_of(struct statfs *s)
{
    memset(s, 0, sizeof *s);
    s->f_type = 0x01021994;
    s->f_bsize = s->f_frsize = 4096;
    s->f_blocks = 1 << 20;
    s->f_bfree = s->f_bavail = 1 << 19;
    s->f_files = s->f_ffree = 1 << 20;
    s->f_namelen = 255;
}

int statfs(const char *path, struct statfs *s)
{
    struct stat st;
    if (stat(path, &st))
        return -1;
    gulo_system_of(s);
    return 0;
}

int fstatfs(int fd, struct statfs *s)
{
    struct stat st;
    if (fstat(fd, &st))
        return -1;
    gulo_system_of(s);
    return 0;
}

static int gulo_filled(struct statvfs *to)
{
    struct statfs s;
    gulo_system_of(&s);
    memset(to, 0, sizeof *to);
    to->f_bsize = to->f_frsize = s.f_bsize;
    to->f_blocks = s.f_blocks;
    to->f_bfree = to->f_bavail = s.f_bfree;
    to->f_files = to->f_ffree = to->f_favail = s.f_files;
    to->f_namemax = s.f_namelen;
    return 0;
}

int statvfs(const char *path, struct statvfs *to)
{
    struct stat st;
    return stat(path, &st) ? -1 : gulo_filled(to);
}

int fstatvfs(int fd, struct statvfs *to)
{
    struct stat st;
    return fstat(fd, &st) ? -1 : gulo_filled(to);
}

void sync(void) {}
int syncfs(int fd)
{
    struct stat st;
    return fstat(fd, &st);
}

int statfs64(const char *name, struct statfs64 *to) { return statfs(name, (struct statfs *)to); }
int fstatfs64(int fd, struct statfs64 *to) { return fstatfs(fd, (struct statfs *)to); }
int statvfs64(const char *name, struct statvfs64 *to) { return statvfs(name, (struct statvfs *)to); }
int fstatvfs64(int fd, struct statvfs64 *to) { return fstatvfs(fd, (struct statvfs *)to); }

/* pthread.h: names of threads, how they are scheduled, and what is to be done at fork. There is one processor, and all
   threads are scheduled as SCHED_OTHER has it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern void __gulo_refuse(const char *why);

static struct { pthread_t of; char name[16]; } gulo_names[64];
static pthread_mutex_t gulo_naming = PTHREAD_MUTEX_INITIALIZER;

int pthread_setname_np(pthread_t t, const char *name)
{
    int i = 0;
    if (strlen(name) > 15)
        return ERANGE;
    pthread_mutex_lock(&gulo_naming);
    while (i < 63 && gulo_names[i].of && gulo_names[i].of != t)
        i++;
    gulo_names[i].of = t;
    strcpy(gulo_names[i].name, name);
    pthread_mutex_unlock(&gulo_naming);
    return 0;
}

int pthread_getname_np(pthread_t t, char *to, size_t n)
{
    if (n < 16)
        return ERANGE;
    strncpy(to, program_invocation_short_name, 15);
    to[15] = 0;
    pthread_mutex_lock(&gulo_naming);
    for (int own = 0; own < 2; own++) /* a thread begins with the name of the one that made it: here the first one's */
        for (int i = 0; i < 64; i++)
            if (gulo_names[i].of == (own ? t : 1))
                strcpy(to, gulo_names[i].name);
    pthread_mutex_unlock(&gulo_naming);
    return 0;
}

int pthread_getschedparam(pthread_t t, int *how, struct sched_param *p)
{
    *how = SCHED_OTHER;
    p->sched_priority = 0;
    return 0;
}

int pthread_setschedparam(pthread_t t, int how, const struct sched_param *p)
{
    if (how == SCHED_OTHER || how == SCHED_BATCH || how == SCHED_IDLE)
        return p->sched_priority ? EINVAL : 0;
    return how != SCHED_FIFO && how != SCHED_RR ? EINVAL : p->sched_priority < 1 || p->sched_priority > 99 ? EINVAL : EPERM;
}

int pthread_setschedprio(pthread_t t, int n) { return n ? EINVAL : 0; }
int pthread_getaffinity_np(pthread_t t, size_t n, cpu_set_t *to) { return sched_getaffinity(0, n, to) < 0 ? errno : 0; }
int pthread_setaffinity_np(pthread_t t, size_t n, const cpu_set_t *from) { return sched_setaffinity(0, n, from) ? errno : 0; }
int pthread_attr_setaffinity_np(pthread_attr_t *a, size_t n, const cpu_set_t *from) { return n && !(*(const unsigned char *)from & 1) ? EINVAL : 0; }
int pthread_attr_getaffinity_np(const pthread_attr_t *a, size_t n, cpu_set_t *to)
{
    if (n < 1)
        return EINVAL;
    memset(to, 0, n);
    *(unsigned char *)to = 1;
    return 0;
}

/* Threads run on the machine's own stack: the memory that a program gives for one is left alone. */
int pthread_attr_setstack(pthread_attr_t *a, void *at, size_t n)
{
    int e = pthread_attr_setstacksize(a, n);
    if (!e)
        *(void **)((char *)a + 32) = at;
    return e;
}

int pthread_attr_getstack(const pthread_attr_t *a, void **at, size_t *n)
{
    *at = *(void **)((char *)a + 32);
    if (!*at)
        __gulo_refuse("where the stack of a thread lies is not known");
    return pthread_attr_getstacksize(a, n);
}

int pthread_attr_setstackaddr(pthread_attr_t *a, void *at)
{
    *(void **)((char *)a + 32) = at;
    return 0;
}

int pthread_attr_getstackaddr(const pthread_attr_t *a, void **at)
{
    *at = *(void **)((char *)a + 32);
    return 0;
}

int pthread_getattr_np(pthread_t t, pthread_attr_t *a) { return pthread_attr_init(a); }
int pthread_getattr_default_np(pthread_attr_t *a) { return pthread_attr_init(a); }
int pthread_setattr_default_np(const pthread_attr_t *a) { return 0; }

int pthread_getcpuclockid(pthread_t t, clockid_t *to)
{
    *to = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *m) { return EINVAL; }
int pthread_mutex_consistent_np(pthread_mutex_t *m) { return EINVAL; }
int pthread_mutex_getprioceiling(const pthread_mutex_t *m, int *to) { return EINVAL; }
int pthread_mutex_setprioceiling(pthread_mutex_t *m, int n, int *old) { return EINVAL; }
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *a, int *to) { *to = 1; return 0; }
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *a, int n) { return n < 1 || n > 99 ? EINVAL : 0; }

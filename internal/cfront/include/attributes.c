/* The attributes of threads and of what they wait for. All scheduling is SCHED_OTHER; nothing is for several processes. A
   pthread_attr_t is struct gulo_attr, filled by pthread_attr_init with zeros. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

extern void __gulo_refuse(const char *why);

struct gulo_attr { int detached, explicit, policy, priority; unsigned long stack, guard; void *at; };

static struct gulo_attr *gulo_of(const pthread_attr_t *a) { return (struct gulo_attr *)a; }

int pthread_attr_setstacksize(pthread_attr_t *a, size_t n)
{
    if (n < 16384)
        return EINVAL;
    gulo_of(a)->stack = n;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *a, size_t *n)
{
    *n = gulo_of(a)->stack ? gulo_of(a)->stack : 8 << 20;
    return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *a, size_t n)
{
    gulo_of(a)->guard = n + 1;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *a, size_t *n)
{
    *n = gulo_of(a)->guard ? gulo_of(a)->guard - 1 : 4096;
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *a, int scope)
{
    (void)gulo_of(a)->detached;
    return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *a, int *scope)
{
    (void)gulo_of(a)->detached;
    *scope = PTHREAD_SCOPE_SYSTEM;
    return 0;
}

static int gulo_scheduled(struct gulo_attr *x)
{
    if (x->explicit && x->policy != SCHED_OTHER)
        __gulo_refuse("threads of another scheduling policy are not supported");
    return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *a, int how)
{
    if (how != PTHREAD_INHERIT_SCHED && how != PTHREAD_EXPLICIT_SCHED)
        return EINVAL;
    gulo_of(a)->explicit = how;
    return gulo_scheduled(gulo_of(a));
}

int pthread_attr_getinheritsched(const pthread_attr_t *a, int *how)
{
    *how = gulo_of(a)->explicit;
    return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *a, int policy)
{
    if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR)
        return EINVAL;
    gulo_of(a)->policy = policy;
    return gulo_scheduled(gulo_of(a));
}

int pthread_attr_getschedpolicy(const pthread_attr_t *a, int *policy)
{
    *policy = gulo_of(a)->policy;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *a, const struct sched_param *p)
{
    int real = gulo_of(a)->policy != SCHED_OTHER;
    if (p->sched_priority < real || p->sched_priority > (real ? 99 : 0))
        return EINVAL;
    gulo_of(a)->priority = p->sched_priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *a, struct sched_param *p)
{
    p->sched_priority = gulo_of(a)->priority;
    return 0;
}

static int gulo_shared(int how)
{
    if (how != PTHREAD_PROCESS_PRIVATE && how != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    if (how == PTHREAD_PROCESS_SHARED)
        __gulo_refuse("locks of several processes are not supported");
    return 0;
}

/* Mutexes: the type is in the last two bits, the protocol in the two before. */
int pthread_mutexattr_gettype(const pthread_mutexattr_t *a, int *kind)
{
    *kind = *(const int *)a & 3;
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int how) { return gulo_shared(how); }
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *a, int *how)
{
    *how = PTHREAD_PROCESS_PRIVATE;
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int p)
{
    if (p < PTHREAD_PRIO_NONE || p > PTHREAD_PRIO_PROTECT)
        return EINVAL;
    if (p == PTHREAD_PRIO_PROTECT)
        __gulo_refuse("the protocol PTHREAD_PRIO_PROTECT is not supported");
    *(int *)a = (*(int *)a & 3) | p << 2;
    return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *a, int *p)
{
    *p = *(const int *)a >> 2 & 3;
    return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int how)
{
    if (how == PTHREAD_MUTEX_ROBUST)
        __gulo_refuse("robust locks are not supported");
    return how == PTHREAD_MUTEX_STALLED ? 0 : EINVAL;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *a, int *how)
{
    *how = PTHREAD_MUTEX_STALLED;
    return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *a) { *(int *)a = 0; return 0; }
int pthread_barrierattr_destroy(pthread_barrierattr_t *a) { return 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t *a, int how) { return gulo_shared(how); }
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *a, int *how) { *how = *(const int *)a; return 0; }

int pthread_rwlockattr_init(pthread_rwlockattr_t *a) { *(int *)a = 0; return 0; }
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *a) { return 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int how) { return gulo_shared(how); }
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *a, int *how) { *how = PTHREAD_PROCESS_PRIVATE; return 0; }
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *a, int *kind) { *kind = *(const int *)a; return 0; }
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a, int kind)
{
    if (kind < 0 || kind > 2)
        return EINVAL;
    *(int *)a = kind;
    return 0;
}

int pthread_condattr_init(pthread_condattr_t *a) { *(int *)a = 0; return 0; }
int pthread_condattr_destroy(pthread_condattr_t *a) { return 0; }
int pthread_condattr_getclock(const pthread_condattr_t *a, clockid_t *clock) { *clock = *(const int *)a; return 0; }
int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock)
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    *(int *)a = clock;
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *a, int how) { return gulo_shared(how); }
int pthread_condattr_getpshared(const pthread_condattr_t *a, int *how) { *how = PTHREAD_PROCESS_PRIVATE; return 0; }

static int gulo_concurrency;

int pthread_getconcurrency(void) { return gulo_concurrency; }
int pthread_setconcurrency(int n)
{
    if (n < 0)
        return EINVAL;
    gulo_concurrency = n;
    return 0;
}

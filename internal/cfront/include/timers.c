/* timer_create and its kin. A timer that calls a function has a thread of its own that waits; the others are gulo's. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

extern void __gulo_timer_set(int timer, int number, void *value, int cpu, long in, long every);
extern long __gulo_timer_left(int timer);
extern int __gulo_timer_overrun(int timer);

static struct gulo_timer {
    int used, armed;
    clockid_t clock;
    struct sigevent e;
    struct timespec due;
    long every;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} gulo_timers[32];

static int gulo_failed(int e)
{
    errno = e;
    return -1;
}

static struct gulo_timer *gulo_of(timer_t id) { return (unsigned long)id < 32 && gulo_timers[(unsigned long)id].used ? &gulo_timers[(unsigned long)id] : NULL; }
static long gulo_nanos(const struct timespec *t) { return t->tv_sec * 1000000000 + t->tv_nsec; }
static struct timespec gulo_time(long n) { return (struct timespec){ n / 1000000000, n % 1000000000 }; }
static int gulo_cpu(clockid_t c) { return c == CLOCK_PROCESS_CPUTIME_ID || c == CLOCK_THREAD_CPUTIME_ID; }

static long gulo_now(struct gulo_timer *t)
{
    struct timespec now;
    clock_gettime(t->clock, &now);
    return gulo_nanos(&now);
}

static void *gulo_wait(void *p)
{
    struct gulo_timer *t = p;
    pthread_mutex_lock(&t->lock);
    while (t->used) {
        if (!t->armed)
            pthread_cond_wait(&t->changed, &t->lock);
        else if (pthread_cond_clockwait(&t->changed, &t->lock, t->clock, &t->due) == ETIMEDOUT && t->armed) {
            t->armed = t->every != 0;
            t->due = gulo_time(gulo_nanos(&t->due) + t->every);
            pthread_mutex_unlock(&t->lock);
            t->e.sigev_notify_function(t->e.sigev_value);
            pthread_mutex_lock(&t->lock);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

int timer_create(clockid_t clock, struct sigevent *e, timer_t *id)
{
    long i = 0;
    struct gulo_timer *t;
    pthread_t thread;
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME && !gulo_cpu(clock))
        return gulo_failed(EINVAL);
    if (e && e->sigev_notify != SIGEV_NONE && e->sigev_notify != SIGEV_THREAD && (e->sigev_signo < 1 || e->sigev_signo > 64))
        return gulo_failed(EINVAL);
    while (i < 32 && gulo_timers[i].used)
        i++;
    if (i == 32)
        return gulo_failed(EAGAIN);
    t = &gulo_timers[i];
    memset(t, 0, sizeof *t);
    t->used = 1;
    t->clock = clock == CLOCK_BOOTTIME ? CLOCK_MONOTONIC : clock;
    if (e)
        t->e = *e;
    else {
        t->e.sigev_signo = SIGALRM;
        t->e.sigev_value.sival_ptr = (void *)i;
    }
    if (t->e.sigev_notify == SIGEV_THREAD) {
        pthread_mutex_init(&t->lock, NULL);
        pthread_cond_init(&t->changed, NULL);
        if (pthread_create(&thread, NULL, gulo_wait, t))
            return gulo_failed(EAGAIN);
        pthread_detach(thread);
    }
    *id = (timer_t)i;
    return 0;
}

int timer_gettime(timer_t id, struct itimerspec *to)
{
    struct gulo_timer *t = gulo_of(id);
    long left = 0;
    if (!t)
        return gulo_failed(EINVAL);
    if (t->e.sigev_notify != SIGEV_THREAD)
        left = __gulo_timer_left(t - gulo_timers);
    else if (t->armed && (left = gulo_nanos(&t->due) - gulo_now(t)) <= 0)
        left = 1;
    to->it_value = gulo_time(left);
    to->it_interval = gulo_time(t->every);
    return 0;
}

static int gulo_sane(const struct timespec *t) { return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000; }

int timer_settime(timer_t id, int flags, const struct itimerspec *new, struct itimerspec *old)
{
    struct gulo_timer *t = gulo_of(id);
    if (!t || !gulo_sane(&new->it_value) || !gulo_sane(&new->it_interval))
        return gulo_failed(EINVAL);
    long in = gulo_nanos(&new->it_value);
    if (old)
        timer_gettime(id, old);
    if (in && flags & TIMER_ABSTIME && (in -= gulo_now(t)) <= 0)
        in = 1;
    t->every = gulo_nanos(&new->it_interval);
    if (t->e.sigev_notify == SIGEV_THREAD) {
        pthread_mutex_lock(&t->lock);
        t->armed = in != 0;
        t->due = gulo_time(gulo_now(t) + in);
        pthread_cond_signal(&t->changed);
        pthread_mutex_unlock(&t->lock);
    } else
        __gulo_timer_set(t - gulo_timers, t->e.sigev_notify == SIGEV_NONE ? 0 : t->e.sigev_signo, t->e.sigev_value.sival_ptr, gulo_cpu(t->clock), in, t->every);
    return 0;
}

int timer_getoverrun(timer_t id)
{
    struct gulo_timer *t = gulo_of(id);
    return !t ? gulo_failed(EINVAL) : t->e.sigev_notify == SIGEV_THREAD ? 0 : __gulo_timer_overrun(t - gulo_timers);
}

int timer_delete(timer_t id)
{
    struct gulo_timer *t = gulo_of(id);
    if (!t)
        return gulo_failed(EINVAL);
    if (t->e.sigev_notify == SIGEV_THREAD) {
        pthread_mutex_lock(&t->lock);
        t->used = t->armed = 0;
        pthread_cond_signal(&t->changed);
        pthread_mutex_unlock(&t->lock);
    } else
        __gulo_timer_set(t - gulo_timers, 0, NULL, 0, 0, 0);
    t->used = 0;
    return 0;
}

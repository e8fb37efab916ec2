/* pthread.h for a program with one thread: mutexes, once, keys. Nobody else holds a mutex;
   what would wait for another thread is not here. */
#define _GNU_SOURCE
#include <pthread.h>
#include <errno.h>
#include <string.h>

extern void __gulo_deadlock(void);

struct gulo_mutex { int held, count, owner; unsigned users; int kind; };

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a)
{
    memset(m, 0, sizeof *m);
    if (a)
        ((struct gulo_mutex *)m)->kind = *(const int *)a & 3;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    struct gulo_mutex *m = (struct gulo_mutex *)mutex;
    if (m->held && (m->kind & 3) == PTHREAD_MUTEX_RECURSIVE) {
        m->count++;
        return 0;
    }
    if (m->held && (m->kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    if (m->held)
        __gulo_deadlock();
    m->held = m->count = 1;
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    struct gulo_mutex *m = (struct gulo_mutex *)mutex;
    if (m->held && (m->kind & 3) != PTHREAD_MUTEX_RECURSIVE)
        return EBUSY;
    m->held = 1;
    m->count++;
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    struct gulo_mutex *m = (struct gulo_mutex *)mutex;
    if (!m->held && (m->kind & 3) != PTHREAD_MUTEX_NORMAL)
        return EPERM;
    if (m->count > 0 && --m->count == 0)
        m->held = 0;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *m) { return ((struct gulo_mutex *)m)->held ? EBUSY : 0; }
int pthread_mutexattr_init(pthread_mutexattr_t *a) { *(int *)a = 0; return 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { return 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind)
{
    if (kind < 0 || kind > 2)
        return EINVAL;
    *(int *)a = kind;
    return 0;
}

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) { memset(c, 0, sizeof *c); return 0; }
int pthread_cond_signal(pthread_cond_t *c) { return 0; }
int pthread_cond_broadcast(pthread_cond_t *c) { return 0; }
int pthread_cond_destroy(pthread_cond_t *c) { return 0; }

int pthread_once(pthread_once_t *once, void (*f)(void))
{
    if (*once == 0) {
        *once = 2;
        f();
    }
    return 0;
}

static struct { int used; void *value; } gulo_keys[64];

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    for (unsigned i = 0; i < 64; i++)
        if (!gulo_keys[i].used) {
            gulo_keys[i].used = 1;
            gulo_keys[i].value = NULL;
            *key = i;
            return 0;
        }
    return EAGAIN;
}

int pthread_key_delete(pthread_key_t key)
{
    if (key >= 64 || !gulo_keys[key].used)
        return EINVAL;
    gulo_keys[key].used = 0;
    return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= 64 || !gulo_keys[key].used)
        return EINVAL;
    gulo_keys[key].value = (void *)value;
    return 0;
}

void *pthread_getspecific(pthread_key_t key) { return key < 64 && gulo_keys[key].used ? gulo_keys[key].value : NULL; }
pthread_t pthread_self(void) { return 4242; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

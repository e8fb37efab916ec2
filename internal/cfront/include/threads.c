/* pthread.h and threads.h: what calls functions of the program, and the attributes of a mutex. The
   rest is gulo's own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>
#include <errno.h>

extern int __gulo_once_begin(void *once);
extern void __gulo_once_end(void *once);

int pthread_mutexattr_init(pthread_mutexattr_t *a) { *(int *)a = 0; return 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { return 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind)
{
    if (kind < 0 || kind > 2)
        return EINVAL;
    *(int *)a = (*(int *)a & ~3) | kind;
    return 0;
}

int pthread_once(pthread_once_t *once, void (*f)(void))
{
    if (__gulo_once_begin(once)) {
        f();
        __gulo_once_end(once);
    }
    return 0;
}

void call_once(once_flag *once, void (*f)(void))
{
    if (__gulo_once_begin(once)) {
        f();
        __gulo_once_end(once);
    }
}

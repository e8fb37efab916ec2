/* pthread_atfork, and fork with what is to be done before and after it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

extern pid_t __fork(void);

static struct { void (*before)(void), (*parent)(void), (*child)(void); } gulo_handlers[32];
static int gulo_count;

int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    if (gulo_count == 32)
        return ENOMEM;
    gulo_handlers[gulo_count].before = before;
    gulo_handlers[gulo_count].parent = parent;
    gulo_handlers[gulo_count++].child = child;
    return 0;
}

pid_t fork(void)
{
    for (int i = gulo_count; i--; )
        if (gulo_handlers[i].before)
            gulo_handlers[i].before();
    pid_t pid = __fork();
    for (int i = 0; i < gulo_count; i++) {
        void (*f)(void) = pid ? gulo_handlers[i].parent : gulo_handlers[i].child;
        if (f)
            f();
    }
    return pid;
}

/* Semaphores by name, for the threads of one process. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

extern void __gulo_alone(const char *why);

static pthread_mutex_t gulo_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gulo_named { char name[252]; sem_t sem; int users, named; } gulo_semaphores[64];

/* The name without slashes before it; NULL, and errno, for none. */
static const char *gulo_plain(const char *name, int unlink)
{
    while (*name == '/')
        name++;
    if (*name && !strchr(name, '/') && strlen(name) < 252)
        return name;
    errno = unlink ? ENOENT : EINVAL;
    return NULL;
}

static struct gulo_named *gulo_find(const char *name)
{
    for (int i = 0; i < 64; i++)
        if (gulo_semaphores[i].named && !strcmp(gulo_semaphores[i].name, name))
            return &gulo_semaphores[i];
    return NULL;
}

static sem_t *gulo_open(const char *name, int flags, unsigned value)
{
    struct gulo_named *x;
    if ((x = gulo_find(name))) {
        if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
            errno = EEXIST;
            return SEM_FAILED;
        }
        x->users++;
        return &x->sem;
    }
    if (!(flags & O_CREAT)) {
        errno = ENOENT;
        return SEM_FAILED;
    }
    if (value > 0x7fffffff) {
        errno = EINVAL;
        return SEM_FAILED;
    }
    for (int i = 0; i < 64; i++) {
        x = &gulo_semaphores[i];
        if (x->named || x->users)
            continue;
        __gulo_alone("fork of a program that has a semaphore with a name is not supported");
        strcpy(x->name, name);
        sem_init(&x->sem, 0, value);
        x->named = x->users = 1;
        return &x->sem;
    }
    errno = ENFILE;
    return SEM_FAILED;
}

sem_t *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    if (!(name = gulo_plain(name, 0)))
        return SEM_FAILED;
    if (flags & O_CREAT) {
        va_list ap;
        va_start(ap, flags);
        va_arg(ap, unsigned);
        value = va_arg(ap, unsigned);
        va_end(ap);
    }
    pthread_mutex_lock(&gulo_lock);
    sem_t *s = gulo_open(name, flags, value);
    pthread_mutex_unlock(&gulo_lock);
    return s;
}

int sem_close(sem_t *s)
{
    int found = 0;
    pthread_mutex_lock(&gulo_lock);
    for (int i = 0; i < 64 && !found; i++)
        if (s == &gulo_semaphores[i].sem && gulo_semaphores[i].users) {
            gulo_semaphores[i].users--;
            found = 1;
        }
    pthread_mutex_unlock(&gulo_lock);
    if (found)
        return 0;
    errno = EINVAL;
    return -1;
}

int sem_unlink(const char *name)
{
    struct gulo_named *x;
    if (!(name = gulo_plain(name, 1)))
        return -1;
    pthread_mutex_lock(&gulo_lock);
    if ((x = gulo_find(name)))
        x->named = 0;
    pthread_mutex_unlock(&gulo_lock);
    if (x)
        return 0;
    errno = ENOENT;
    return -1;
}

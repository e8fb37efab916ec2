/* Names for what is needed for a while: mkdtemp and the relatives of mkstemp. Which name comes next
   depends on nothing but how many there were. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* gulo_places finds the six letters X in front of a suffix. */
static char *gulo_places(char *name, int suffix)
{
    size_t n = strlen(name);
    if (suffix < 0 || n < 6 + (size_t)suffix || strncmp(name + n - suffix - 6, "XXXXXX", 6) != 0) {
        errno = EINVAL;
        return NULL;
    }
    return name + n - suffix - 6;
}

/* gulo_next writes the next name. */
static void gulo_next(char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    static unsigned made;
    unsigned long v = ++made * 2654435761ul % 56800235584ul;
    for (int i = 0; i < 6; i++, v /= 62)
        at[i] = letters[v % 62];
}

int mkostemps(char *name, int suffix, int flags)
{
    int before = errno;
    char *at = gulo_places(name, suffix);
    if (!at)
        return -1;
    for (;;) {
        gulo_next(at);
        int fd = open(name, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0 || errno != EEXIST) {
            if (fd >= 0)
                errno = before;
            return fd;
        }
    }
}

int mkstemps(char *name, int suffix) { return mkostemps(name, suffix, 0); }
int mkstemps64(char *name, int suffix) { return mkostemps(name, suffix, 0); }
int mkostemp(char *name, int flags) { return mkostemps(name, 0, flags); }
int mkostemp64(char *name, int flags) { return mkostemps(name, 0, flags); }
int mkostemps64(char *name, int suffix, int flags) { return mkostemps(name, suffix, flags); }

char *mkdtemp(char *name)
{
    int before = errno;
    char *at = gulo_places(name, 0);
    if (!at)
        return NULL;
    for (;;) {
        gulo_next(at);
        if (mkdir(name, 0700) == 0) {
            errno = before;
            return name;
        }
        if (errno != EEXIST)
            return NULL;
    }
}

char *mktemp(char *name)
{
    struct stat st;
    char *at = gulo_places(name, 0);
    if (!at) {
        *name = 0;
        return name;
    }
    do
        gulo_next(at);
    while (lstat(name, &st) == 0);
    return name;
}

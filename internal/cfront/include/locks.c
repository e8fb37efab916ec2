/* lockf, as the locks of fcntl. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int lockf(int fd, int what, off_t size)
{
    struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = size };
    switch (what) {
    case F_TEST:
        return fcntl(fd, F_GETLK, &l);
    case F_ULOCK:
        l.l_type = F_UNLCK;
        return fcntl(fd, F_SETLK, &l);
    case F_LOCK:
        return fcntl(fd, F_SETLKW, &l);
    case F_TLOCK:
        return fcntl(fd, F_SETLK, &l);
    }
    errno = EINVAL;
    return -1;
}

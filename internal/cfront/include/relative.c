/* renameat2, and whether a file may be accessed: there is one user. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

extern void __gulo_refuse(const char *why);

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    if (flags & ~RENAME_NOREPLACE)
        __gulo_refuse("renameat2 with other flags than RENAME_NOREPLACE is not supported");
    if (flags && faccessat(to, new, F_OK, 0) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(from, old, to, new);
}

int eaccess(const char *path, int how) { return access(path, how); }
int euidaccess(const char *path, int how) { return access(path, how); }

/* Bytes from one descriptor or process to another, several messages at once, and room in files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

extern void __gulo_refuse(const char *why);

static ssize_t gulo_failed(int e)
{
    errno = e;
    return -1;
}

/* Copies at most n bytes. An offset that is given is used in place of the descriptor's position, and moved. */
static ssize_t gulo_copy(int out, off_t *to, int in, off_t *from, size_t n)
{
    char part[4096];
    size_t done = 0;
    while (done < n) {
        size_t want = n - done < sizeof part ? n - done : sizeof part;
        ssize_t got = from ? pread(in, part, want, *from) : read(in, part, want);
        if (got <= 0)
            return done || !got ? (ssize_t)done : -1;
        ssize_t put = to ? pwrite(out, part, got, *to) : write(out, part, got);
        if (put < 0)
            return done ? (ssize_t)done : -1;
        done += put;
        if (from)
            *from += put;
        if (to)
            *to += put;
        if (put < got || (size_t)got < want)
            break;
    }
    return done;
}

ssize_t sendfile(int out, int in, off_t *from, size_t n)
{
    if (lseek(in, 0, SEEK_CUR) < 0)
        return gulo_failed(errno == ESPIPE ? EINVAL : errno);
    return gulo_copy(out, NULL, in, from, n);
}

ssize_t sendfile64(int out, int in, off64_t *from, size_t n) { return sendfile(out, in, from, n); }

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags)
{
    if (flags || lseek(in, 0, SEEK_CUR) < 0 || lseek(out, 0, SEEK_CUR) < 0)
        return gulo_failed(flags || errno == ESPIPE ? EINVAL : errno);
    return gulo_copy(out, to, in, from, n);
}

ssize_t splice(int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags)
{
    int seeks_in = lseek(in, 0, SEEK_CUR) >= 0, seeks_out = lseek(out, 0, SEEK_CUR) >= 0;
    if (seeks_in && seeks_out)
        return gulo_failed(EINVAL);
    if ((from && !seeks_in) || (to && !seeks_out))
        return gulo_failed(ESPIPE);
    return gulo_copy(out, to, in, from, n < 65536 ? n : 65536);
}

ssize_t vmsplice(int fd, const struct iovec *v, size_t n, unsigned flags) { return writev(fd, v, n); }

/* Between processes: the program itself alone. */
static ssize_t gulo_between(pid_t pid, const struct iovec *own, unsigned long n, const struct iovec *other, unsigned long k, unsigned long flags, int write)
{
    ssize_t done = 0;
    size_t at = 0, there = 0;
    if (flags || n > 1024 || k > 1024)
        return gulo_failed(EINVAL);
    if (pid != getpid())
        __gulo_refuse("memory of another process is not supported");
    while (n && k) {
        size_t left = own->iov_len - at, size = other->iov_len - there;
        if (size > left)
            size = left;
        if (write)
            memcpy((char *)other->iov_base + there, (char *)own->iov_base + at, size);
        else
            memcpy((char *)own->iov_base + at, (char *)other->iov_base + there, size);
        done += size;
        if ((at += size) == own->iov_len)
            own++, n--, at = 0;
        if ((there += size) == other->iov_len)
            other++, k--, there = 0;
    }
    return done;
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n, const struct iovec *from, unsigned long k, unsigned long flags) { return gulo_between(pid, to, n, from, k, flags, 0); }
ssize_t process_vm_writev(pid_t pid, const struct iovec *from, unsigned long n, const struct iovec *to, unsigned long k, unsigned long flags) { return gulo_between(pid, from, n, to, k, flags, 1); }

ssize_t preadv2(int fd, const struct iovec *v, int n, off_t at, int flags)
{
    if (flags & ~(RWF_HIPRI | RWF_DSYNC | RWF_SYNC))
        return gulo_failed(EOPNOTSUPP);
    return at == -1 ? readv(fd, v, n) : preadv(fd, v, n, at);
}

ssize_t pwritev2(int fd, const struct iovec *v, int n, off_t at, int flags)
{
    if (flags & ~(RWF_HIPRI | RWF_DSYNC | RWF_SYNC))
        return gulo_failed(EOPNOTSUPP);
    return at == -1 ? writev(fd, v, n) : pwritev(fd, v, n, at);
}

int sendmmsg(int fd, struct mmsghdr *list, unsigned n, int flags)
{
    for (unsigned i = 0; i < n; i++) {
        ssize_t sent = sendmsg(fd, &list[i].msg_hdr, flags);
        if (sent < 0)
            return i ? (int)i : -1;
        list[i].msg_len = sent;
    }
    return n;
}

int recvmmsg(int fd, struct mmsghdr *list, unsigned n, int flags, struct timespec *until)
{
    for (unsigned i = 0; i < n; i++) {
        ssize_t got = recvmsg(fd, &list[i].msg_hdr, (flags & ~MSG_WAITFORONE) | (i && flags & MSG_WAITFORONE ? MSG_DONTWAIT : 0));
        if (got < 0)
            return i ? (int)i : -1;
        list[i].msg_len = got;
    }
    return n;
}

/* Room in files. */
int posix_fallocate(int fd, off_t at, off_t n)
{
    struct stat s;
    if (at < 0 || n <= 0)
        return EINVAL;
    int mode = fcntl(fd, F_GETFL), before = errno;
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY || fstat(fd, &s)) {
        errno = before;
        return EBADF;
    }
    if (S_ISFIFO(s.st_mode))
        return ESPIPE;
    if (!S_ISREG(s.st_mode))
        return ENODEV;
    return s.st_size < at + n && ftruncate(fd, at + n) ? errno : 0;
}

int fallocate(int fd, int mode, off_t at, off_t n)
{
    struct stat s;
    if (mode & ~FALLOC_FL_KEEP_SIZE)
        return gulo_failed(EOPNOTSUPP);
    if (fstat(fd, &s) == 0 && mode && at >= 0 && n > 0)
        return 0;
    int e = posix_fallocate(fd, at, n);
    return e ? gulo_failed(e) : 0;
}

int posix_fadvise(int fd, off_t at, off_t n, int how)
{
    int before = errno, e = 0;
    if (fcntl(fd, F_GETFL) < 0)
        e = EBADF;
    else if (how < 0 || how > POSIX_FADV_NOREUSE || n < 0)
        e = EINVAL;
    else if (lseek(fd, 0, SEEK_CUR) < 0)
        e = ESPIPE;
    errno = before;
    return e;
}

ssize_t readahead(int fd, off64_t at, size_t n) { return fcntl(fd, F_GETFL) < 0 ? -1 : 0; }
int sync_file_range(int fd, off64_t at, off64_t n, unsigned flags) { return fcntl(fd, F_GETFL) < 0 ? -1 : 0; }
int posix_fallocate64(int fd, off64_t at, off64_t n) { return posix_fallocate(fd, at, n); }
int fallocate64(int fd, int mode, off64_t at, off64_t n) { return fallocate(fd, mode, at, n); }
int posix_fadvise64(int fd, off64_t at, off64_t n, int how) { return posix_fadvise(fd, at, n, how); }

int close_range(unsigned first, unsigned last, int flags)
{
    if (first > last || flags & ~(CLOSE_RANGE_CLOEXEC | CLOSE_RANGE_UNSHARE))
        return gulo_failed(EINVAL);
    int before = errno;
    for (unsigned fd = first; fd <= last && fd < 1024; fd++)
        if (flags & CLOSE_RANGE_CLOEXEC)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
        else
            close(fd);
    errno = before;
    return 0;
}

void closefrom(int first) { close_range(first < 0 ? 0 : first, ~0u, 0); }

/* What calls of the system read and write: structs of which some members count, lists, and memory whose size another
   argument says. */
#define _GNU_SOURCE
#include "gulo.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>

static void in(const void *p, u64 n, u64 meta, const gulo_site *s) { gulo_touch(p, n, meta, s, 0); }

static void out(const void *p, u64 n, u64 meta, const gulo_site *s) { gulo_touch(p, n, meta, s, 1); }

/* gulo_address is the address of a socket: of the families that are known, what the system looks at has to be written. */
void gulo_address(const struct sockaddr *a, u64 n, u64 meta, const gulo_site *s)
{
    n = (u32)n;
    if (!a || n < sizeof a->sa_family || n > 128)
        return;
    gulo_moving(a, n, meta, s);
    in(a, sizeof a->sa_family, meta, s);
    const struct sockaddr_in6 *a6 = (const struct sockaddr_in6 *)a;
    switch (a->sa_family) {
    case AF_INET:
        if (n >= sizeof(struct sockaddr_in))
            in(a, offsetof(struct sockaddr_in, sin_zero), meta, s);
        break;
    case AF_INET6:
        if (n >= sizeof *a6) {
            in(a, offsetof(struct sockaddr_in6, sin6_flowinfo), meta, s);
            in(&a6->sin6_addr, sizeof a6->sin6_addr, meta, s);
            if (IN6_IS_ADDR_LINKLOCAL(&a6->sin6_addr))
                in(&a6->sin6_scope_id, sizeof a6->sin6_scope_id, meta, s);
        }
        break;
    case AF_UNIX:
        if (n > offsetof(struct sockaddr_un, sun_path)) {
            const char *path = ((const struct sockaddr_un *)a)->sun_path;
            u64 most = n - offsetof(struct sockaddr_un, sun_path);
            if (*path)
                gulo_string(path, most, meta, s);
            else
                in(path, most, meta, s);
        }
        break;
    default:
        gulo_given(a, n, meta, s);
    }
}

/* gulo_length_given is the room that a program says it has, in a variable that gets the length of what comes. */
u64 gulo_length_given(const void *p, const u32 *n, u64 meta, const gulo_site *s)
{
    if (!p || !n)
        return 0;
    in(n, sizeof *n, meta, s);
    return *n;
}

/* gulo_option is what setsockopt is given: a number, or a small struct, is used whole. */
void gulo_option(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    n = (u32)n;
    if (p && n <= 16)
        in(p, n, meta, s);
    else if (p && n < 1 << 20)
        gulo_given(p, n, meta, s);
}

/* gulo_members reads some members of an object: a list of offsets and lengths that ends with a length of 0. */
void gulo_members(const void *p, const u32 *list, u64 meta, const gulo_site *s)
{
    for (; p && list[1]; list += 2)
        in((const char *)p + list[0], list[1], meta, s);
}

/* gulo_strings is a list of strings that NULL ends. */
void gulo_strings(char *const *p, u64 meta, const gulo_site *s)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    for (u64 i = 0; p; i++) {
        in(&p[i], sizeof *p, meta, s);
        if (!p[i] || ((u32)meta && (u64)&p[i] - b->base + sizeof *p > (u64)b->size))
            return;
        const gulo_slot *q = gulo_slot_of(&p[i]);
        gulo_string(p[i], ~0ull, q->value == (u64)p[i] ? q->meta : 0, s);
    }
}

/* gulo_file_times are the two times that utimensat sets: the seconds count only where the nanoseconds are a number. */
void gulo_file_times(const struct timespec *t, u64 meta, const gulo_site *s)
{
    for (int i = 0; t && i < 2; i++) {
        in(&t[i].tv_nsec, sizeof t->tv_nsec, meta, s);
        if (t[i].tv_nsec != UTIME_NOW && t[i].tv_nsec != UTIME_OMIT)
            in(&t[i].tv_sec, sizeof t->tv_sec, meta, s);
    }
}

/* gulo_file_set is a set of descriptors below n, which select reads and writes. */
void gulo_file_set(void *p, u64 n, u64 meta, const gulo_site *s)
{
    u64 bytes = ((u32)n + 7) / 8;
    if (!p || (u32)n > 1 << 20)
        return;
    in(p, bytes, meta, s);
    out(p, bytes, meta, s);
}

/* gulo_file_command is what fcntl is given with a command. */
void gulo_file_command(void *p, u64 command, u64 meta, const gulo_site *s)
{
    struct flock *l = p;
    int c = (int)command;
    if (c == F_GETLK || c == F_SETLK || c == F_SETLKW || c == F_OFD_GETLK || c == F_OFD_SETLK || c == F_OFD_SETLKW) {
        in(&l->l_type, sizeof l->l_type, meta, s);
        in(&l->l_whence, sizeof l->l_whence, meta, s);
        in(&l->l_start, sizeof l->l_start, meta, s);
        in(&l->l_len, sizeof l->l_len, meta, s);
        if (c == F_GETLK || c == F_OFD_GETLK)
            out(l, sizeof *l, meta, s);
    } else if (p) {
        gulo_filled(p, meta, s);
    }
}

/* gulo_terminal is what ioctl is given with a request that is about a terminal; it returns 0 for others. */
int gulo_terminal(void *p, u32 request, u64 meta, const gulo_site *s)
{
    enum { GET = 0x5401, SET, SET_WAIT, SET_FLUSH, GET_SIZE = 0x5413, SET_SIZE, KERNEL_TERMIOS = 36, READ = 17, SIZE = 8 };
    switch (request) {
    case GET: out(p, KERNEL_TERMIOS, meta, s); return 1;
    case SET: case SET_WAIT: case SET_FLUSH: in(p, READ, meta, s); return 1;
    case GET_SIZE: out(p, SIZE, meta, s); return 1;
    case SET_SIZE: in(p, SIZE, meta, s); return 1;
    }
    return 0;
}

/* gulo_process_option is the second argument of prctl. */
void gulo_process_option(void *p, u64 option, u64 meta, const gulo_site *s)
{
    enum { NAME = 16 };
    if ((int)option == PR_SET_NAME)
        gulo_string(p, NAME, meta, s);
    else if ((int)option == PR_GET_NAME)
        out(p, NAME, meta, s);
    else
        gulo_filled(p, meta, s);
}

/* gulo_event says how a timer tells that it has run out. */
void gulo_event(const struct sigevent *e, u64 meta, const gulo_site *s)
{
    if (!e)
        return;
    in(&e->sigev_notify, sizeof e->sigev_notify, meta, s);
    if (e->sigev_notify == SIGEV_SIGNAL)
        in(&e->sigev_signo, sizeof e->sigev_signo, meta, s);
}

/* gulo_shared_state is what msgctl and shmctl read or write, as the command says. */
void gulo_shared_state(void *p, u64 command, u64 n, u64 meta, const gulo_site *s)
{
    if (p && (int)command == IPC_STAT)
        out(p, n, meta, s);
    else if (p && (int)command != IPC_RMID)
        gulo_filled(p, meta, s);
}

/* gulo_semaphores is the last argument of semctl: the values of all semaphores of a set, or its state. */
void gulo_semaphores(void *p, int set, int command, u64 meta, const gulo_site *s)
{
    union { struct semid_ds *buf; } u;
    struct semid_ds d;
    if (command == IPC_STAT) {
        out(p, sizeof d, meta, s);
    } else if (command == GETALL || command == SETALL) {
        int kept = errno;
        u.buf = &d;
        if (semctl(set, 0, IPC_STAT, u) == 0)
            gulo_touch(p, d.sem_nsems * sizeof(unsigned short), meta, s, command == GETALL);
        errno = kept;
    } else if (p && command != IPC_RMID) {
        gulo_filled(p, meta, s);
    }
}

/* gulo_queued is a message that msgsnd takes: its type, and n bytes. */
void gulo_queued(const long *p, u64 n, u64 meta, const gulo_site *s)
{
    in(p, sizeof *p, meta, s);
    gulo_given(p + 1, n, meta, s);
}

static u64 wide_of(u64 family) { return (int)family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr); }

void gulo_host(void *p, u64 family, int write, u64 meta, const gulo_site *s) { gulo_touch(p, wide_of(family), meta, s, write); }

/* gulo_jump is what longjmp is given: setjmp has filled it, in a function that has not returned. The C library keeps
   the stack pointer in it, rotated and combined with a secret. */
void gulo_jump(const u64 *env, u64 meta, const gulo_site *s)
{
    enum { REGISTERS = 8, STACK = 6, ROTATED = 17, CALL = 16 }; /* a call puts two words on the stack */
    char text[128];
    u64 any = 0, here = (u64)__builtin_frame_address(0);
    in(env, REGISTERS * sizeof *env, meta, s);
    for (int i = 0; i < REGISTERS; i++)
        any |= env[i];
    if (!any) {
        snprintf(text, sizeof text, "%s with something that setjmp has not filled", s->what);
        gulo_fault("bad_library_call", text, s);
        return;
    }
#ifdef __x86_64__
    u64 secret, to = env[STACK] >> ROTATED | env[STACK] << (64 - ROTATED);
    __asm__("mov %%fs:0x30, %0" : "=r"(secret));
    to ^= secret;
    static __thread u64 low, size; /* of the thread's stack: to ask takes reading a file */
    pthread_attr_t a;
    if (!size) {
        if (pthread_getattr_np(pthread_self(), &a) != 0)
            return;
        pthread_attr_getstack(&a, (void **)&low, &size);
        pthread_attr_destroy(&a);
    }
    if (to >= low && to < here + CALL && here < low + size) {
        snprintf(text, sizeof text, "%s to a call that has returned", s->what);
        gulo_fault("bad_library_call", text, s);
    }
#endif
}

/* Reading into several pieces of memory: how much comes is known only afterwards. Where the pieces are not as large as
   they are said to be, the bytes come to other memory first. */
static u64 piece_meta(const struct iovec *v)
{
    const gulo_slot *q = gulo_slot_of(&v->iov_base);
    return q->value == (u64)v->iov_base ? q->meta : 0;
}

/* sum is the length of all pieces together; fit says whether each has room in its block. */
static u64 sum(const struct iovec *v, u64 n, u64 meta, const gulo_site *s, int *fit)
{
    u64 all = 0;
    *fit = 1;
    for (u64 i = 0; i < n; i++) {
        in(&v[i], sizeof *v, meta, s);
        u64 m = piece_meta(&v[i]), p = (u64)v[i].iov_base;
        const gulo_block *b = &GULO_BLOCKS[(u32)m];
        if (v[i].iov_len && (p < GULO_NULL_PAGE || ((u32)m && (p < b->base || p - b->base > (u64)b->size || v[i].iov_len > (u64)b->size - (p - b->base)))))
            *fit = 0;
        all += v[i].iov_len;
    }
    return all;
}

/* scatter puts what came, from memory of ours if there is such, where it belongs. */
static void scatter(const struct iovec *v, u64 n, i64 came, char *from, const gulo_site *s)
{
    for (u64 i = 0; i < n && came > 0; i++) {
        u64 k = (u64)came < v[i].iov_len ? (u64)came : v[i].iov_len;
        out(v[i].iov_base, k, piece_meta(&v[i]), s);
        if (from) {
            memcpy(v[i].iov_base, from, k);
            from += k;
        }
        came -= (i64)k;
    }
}

#define MOST_SCATTERED (1 << 28)

i64 gulo_read_pieces(int fd, const struct iovec *v, int n, i64 at, int seeks, u64 meta, const gulo_site *s)
{
    int fit = 1;
    u64 all = n > 0 && n <= IOV_MAX ? sum(v, (u64)n, meta, s, &fit) : 0;
    char *own = fit || all > MOST_SCATTERED ? NULL : malloc(all);
    struct iovec one = {own, all};
    const struct iovec *to = own ? &one : v;
    i64 came = seeks ? preadv(fd, to, own ? 1 : n, at) : readv(fd, to, own ? 1 : n);
    int kept = errno;
    scatter(v, (u64)n, came, own, s);
    free(own);
    errno = kept;
    return came;
}

i64 gulo_readv(int fd, const struct iovec *v, int n, u64 meta, const gulo_site *s) { return gulo_read_pieces(fd, v, n, 0, 0, meta, s); }

i64 gulo_preadv(int fd, const struct iovec *v, int n, i64 at, u64 meta, const gulo_site *s) { return gulo_read_pieces(fd, v, n, at, 1, meta, s); }

static u64 member_meta(const void *at)
{
    const gulo_slot *q = gulo_slot_of(at);
    return q->value == *(const u64 *)at ? q->meta : 0;
}

i64 gulo_recvmsg(int fd, struct msghdr *h, int flags, u64 meta, const gulo_site *s)
{
    int fit = 1;
    in(h, sizeof h->msg_name, meta, s);
    if (h->msg_name)
        in(&h->msg_namelen, sizeof h->msg_namelen, meta, s);
    in(&h->msg_iov, offsetof(struct msghdr, msg_flags) - offsetof(struct msghdr, msg_iov), meta, s);
    if (h->msg_name)
        out(h->msg_name, h->msg_namelen, member_meta(&h->msg_name), s);
    if (h->msg_control)
        out(h->msg_control, h->msg_controllen, member_meta(&h->msg_control), s);
    struct iovec *v = h->msg_iov;
    u64 n = h->msg_iovlen, all = n && n <= IOV_MAX ? sum(v, n, member_meta(&h->msg_iov), s, &fit) : 0;
    char *own = fit || all > MOST_SCATTERED ? NULL : malloc(all);
    struct iovec one = {own, all};
    if (own) {
        h->msg_iov = &one;
        h->msg_iovlen = 1;
    }
    i64 came = recvmsg(fd, h, flags);
    int kept = errno;
    h->msg_iov = v;
    h->msg_iovlen = n;
    if (came >= 0)
        gulo_mark_written(h, sizeof *h);
    scatter(v, n, came < (i64)all ? came : (i64)all, own, s);
    free(own);
    errno = kept;
    return came;
}

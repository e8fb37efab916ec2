/* aio.h: each request is done when it is made, before the function returns. */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void *gulo_call(void *p)
{
    struct sigevent e = *(struct sigevent *)p;
    e.sigev_notify_function(e.sigev_value);
    return NULL;
}

/* Tells whoever wants to know that something is done. */
static void gulo_tell(const struct sigevent *e)
{
    pthread_t t;
    switch (e->sigev_notify) {
    case SIGEV_SIGNAL:
        if (e->sigev_signo)
            sigqueue(getpid(), e->sigev_signo, e->sigev_value);
        break;
    case SIGEV_THREAD:
        if (!pthread_create(&t, NULL, gulo_call, (void *)e))
            pthread_join(t, NULL);
        break;
    }
}

static int gulo_do(struct aiocb *a, int what)
{
    int before = errno;
    errno = 0;
    a->__return_value = what == LIO_READ ? pread(a->aio_fildes, (void *)a->aio_buf, a->aio_nbytes, a->aio_offset)
        : what == LIO_WRITE ? pwrite(a->aio_fildes, (void *)a->aio_buf, a->aio_nbytes, a->aio_offset) : fsync(a->aio_fildes);
    if (a->__return_value < 0 && errno == ESPIPE) {
        errno = 0;
        a->__return_value = what == LIO_READ ? read(a->aio_fildes, (void *)a->aio_buf, a->aio_nbytes) : write(a->aio_fildes, (void *)a->aio_buf, a->aio_nbytes);
    }
    a->__error_code = a->__return_value < 0 ? errno : 0;
    errno = before;
    gulo_tell(&a->aio_sigevent);
    return 0;
}

int aio_read(struct aiocb *a) { return gulo_do(a, LIO_READ); }
int aio_write(struct aiocb *a) { return gulo_do(a, LIO_WRITE); }
int aio_fsync(int how, struct aiocb *a) { return gulo_do(a, LIO_NOP); }
int aio_error(const struct aiocb *a) { return a->__error_code; }
ssize_t aio_return(struct aiocb *a) { return a->__return_value; }
int aio_cancel(int fd, struct aiocb *a) { return AIO_ALLDONE; }
int aio_suspend(const struct aiocb *const list[], int n, const struct timespec *until) { return 0; }
void aio_init(const struct aioinit *a) {}

int lio_listio(int how, struct aiocb *const list[], int n, struct sigevent *e)
{
    int failed = 0;
    if (how != LIO_WAIT && how != LIO_NOWAIT) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < n; i++)
        if (list[i] && list[i]->aio_lio_opcode != LIO_NOP) {
            gulo_do(list[i], list[i]->aio_lio_opcode);
            failed |= list[i]->__error_code;
        }
    if (how == LIO_NOWAIT && e)
        gulo_tell(e);
    if (how == LIO_WAIT && failed) {
        errno = EIO;
        return -1;
    }
    return 0;
}

int aio_read64(struct aiocb64 *a) { return aio_read((struct aiocb *)a); }
int aio_write64(struct aiocb64 *a) { return aio_write((struct aiocb *)a); }
int aio_fsync64(int how, struct aiocb64 *a) { return aio_fsync(how, (struct aiocb *)a); }
int aio_error64(const struct aiocb64 *a) { return aio_error((const struct aiocb *)a); }
ssize_t aio_return64(struct aiocb64 *a) { return aio_return((struct aiocb *)a); }
int aio_cancel64(int fd, struct aiocb64 *a) { return aio_cancel(fd, (struct aiocb *)a); }
int aio_suspend64(const struct aiocb64 *const list[], int n, const struct timespec *until) { return 0; }
int lio_listio64(int how, struct aiocb64 *const list[], int n, struct sigevent *e) { return lio_listio(how, (struct aiocb *const *)list, n, e); }

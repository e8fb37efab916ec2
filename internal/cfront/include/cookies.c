/* fopencookie. The machine asks for the program's functions when a buffer is empty or full; they are called here. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct gulo_cookie { void *cookie; cookie_io_functions_t f; FILE *file; };

extern void *__gulo_scratch(size_t);
extern void __gulo_scratch_free(void *);
extern FILE *__gulo_cookie_open(const char *mode, struct gulo_cookie *k, void (*fill)(struct gulo_cookie *), void (*drain)(struct gulo_cookie *), int (*close)(struct gulo_cookie *));
extern void __gulo_cookie_feed(FILE *f, const char *b, ssize_t n);
extern char *__gulo_cookie_held(FILE *f, size_t *n);
extern void __gulo_cookie_drained(FILE *f, int failed);
extern FILE *__gulo_cookie_next(FILE *f);
extern void __gulo_cookie_close(FILE *f);

static void gulo_fill(struct gulo_cookie *k)
{
    char *b = __gulo_scratch(BUFSIZ);
    __gulo_cookie_feed(k->file, b, k->f.read ? k->f.read(k->cookie, b, BUFSIZ) : -1);
    __gulo_scratch_free(b);
}

static void gulo_drain(struct gulo_cookie *k)
{
    size_t n, done = 0;
    char *b = __gulo_cookie_held(k->file, &n);
    while (done < n) {
        ssize_t put = k->f.write ? k->f.write(k->cookie, b + done, n - done) : 0;
        if (put <= 0)
            break;
        done += put;
    }
    __gulo_scratch_free(b);
    __gulo_cookie_drained(k->file, done < n);
}

static int gulo_close(struct gulo_cookie *k)
{
    int r = k->f.close ? k->f.close(k->cookie) : 0;
    __gulo_cookie_close(k->file);
    return r;
}

/* Empties the buffers of the streams that are open when the program ends. */
static void gulo_drain_all(void)
{
    for (FILE *f = NULL; (f = __gulo_cookie_next(f)); )
        fflush(f);
}

FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t f)
{
    static int known;
    struct gulo_cookie *k = __gulo_scratch(sizeof *k);
    if (!known++)
        atexit(gulo_drain_all);
    k->cookie = cookie;
    k->f = f;
    return k->file = __gulo_cookie_open(mode, k, gulo_fill, gulo_drain, gulo_close);
}

// route_drop 1
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { size_t len, cap; char buf[]; } BufHdr;

#define buf__hdr(b) ((BufHdr *)((char *)(b) - offsetof(BufHdr, buf)))
#define buf_len(b)  ((b) ? buf__hdr(b)->len : 0)
#define buf_cap(b)  ((b) ? buf__hdr(b)->cap : 0)
#define buf_fit(b, n) ((n) <= buf_cap(b) ? 0 : ((b) = buf__grow((b), (n), sizeof(*(b))), 0))
#define buf_push(b, ...) (buf_fit((b), 1 + buf_len(b)), (b)[buf__hdr(b)->len++] = (__VA_ARGS__))
#define buf_free(b) ((b) ? (free(buf__hdr(b)), (b) = NULL) : 0)

static void *buf__grow(const void *buf, size_t new_len, size_t elem_size) {
    size_t new_cap = 2 * buf_cap(buf) > new_len ? 2 * buf_cap(buf) : new_len;
    BufHdr *hdr;
    if (new_cap < 4)
        new_cap = 4;
    if (buf) {
        hdr = realloc(buf__hdr(buf), offsetof(BufHdr, buf) + new_cap * elem_size);
    } else {
        hdr = malloc(offsetof(BufHdr, buf) + new_cap * elem_size);
        hdr->len = 0;
    }
    hdr->cap = new_cap;
    return hdr->buf;
}

typedef struct { int dest, metric; } Route;

static Route *table;

static int route_drop(int dest) {
    size_t i, kept = 0;
    for (i = 0; i < buf_len(table); i++) {
        if (table[i].dest == dest)
            continue;
        table[kept++] = table[i];
    }
    i -= kept;
    if (i > 0)
        buf__hdr(table)->len = i; //! buf__hdr(table)->len = kept;
    return (int)i;
}

int main(void) {
#ifdef HELD
    static const int dest[] = {7, 7, 2, 9, 7, 4}, gone[] = {7, 3, 4};
#else
    static const int dest[] = {5, 8, 5, 6, 3}, gone[] = {8};
#endif
    for (size_t i = 0; i < sizeof(dest) / sizeof(*dest); i++)
        buf_push(table, (Route){dest[i], 10 * (int)i});
    for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++)
        printf("%d gone, ", route_drop(gone[i]));
    for (size_t i = 0; i < buf_len(table); i++)
        printf("%d/%d ", table[i].dest, table[i].metric);
    printf("\n");
    buf_free(table);
    return 0;
}

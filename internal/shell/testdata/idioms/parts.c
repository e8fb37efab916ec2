// list_push 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u_char;
typedef unsigned int uint_t;

typedef struct {
    size_t   len;
    u_char  *data;
} str_t;

#define string(s)  { sizeof(s) - 1, (u_char *) s }

typedef struct list_part_s  list_part_t;

struct list_part_s {
    void         *elts;
    uint_t        nelts;
    list_part_t  *next;
};

typedef struct {
    list_part_t  *last;
    list_part_t   part;
    size_t        size;
    uint_t        nalloc;
} list_t;

static int list_init(list_t *list, uint_t n, size_t size)
{
    list->part.elts = malloc(n * size);
    if (list->part.elts == NULL) {
        return -1;
    }

    list->part.nelts = 0;
    list->part.next = NULL;
    list->last = &list->part;
    list->size = size;
    list->nalloc = n;

    return 0;
}

static void *list_push(list_t *l)
{
    void         *elt;
    list_part_t  *last;

    last = l->last;

    if (last->nelts == l->nalloc) {

        /* the last part is full, allocate a new list part */

        last = malloc(sizeof(list_part_t));
        if (last == NULL) {
            return NULL;
        }

        last->elts = malloc(l->nalloc * l->size);
        if (last->elts == NULL) {
            return NULL;
        }

        last->nelts = 0;
        last->next = NULL;

        l->part.next = last; //! l->last->next = last;
        l->last = last;
    }

    elt = (char *) last->elts + l->size * last->nelts;
    last->nelts++;

    return elt;
}

int main(void)
{
    static str_t  names[] = {
        string("Host"), string("Accept"), string("Cookie"),
        string("Range"), string("Via"), string("Age"), string("ETag")
    };
    list_t        headers;
    list_part_t  *part;
    str_t        *h;
    uint_t        i;
#ifdef HELD
    uint_t        n = 7;
    list_init(&headers, 2, sizeof(str_t));
#else
    uint_t        n = 3;
    list_init(&headers, 1, sizeof(str_t));
#endif

    for (i = 0; i < n; i++) {
        h = list_push(&headers);
        *h = names[i];
    }

    for (part = &headers.part; part; part = part->next) {
        h = part->elts;
        for (i = 0; i < part->nelts; i++) {
            printf("%.*s ", (int) h[i].len, h[i].data);
        }
        printf("/ ");
    }
    printf("\n");
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Print jobs wait in a binary heap. Urgent jobs (small class) are printed first, in one
 * class those with fewer pages, and of those the one that came first. */

struct job {
    char name[16];
    int class, pages, ticket;
};

struct heap {
    struct job **a;     /* a[1] is the top */
    int n, room;
};

static int before(const struct job *x, const struct job *y)
{
    if (x->class != y->class)
        return x->class < y->class;
    if (x->pages != y->pages)
        return x->pages < y->pages;
    return x->ticket < y->ticket;
}

static void insert(struct heap *h, struct job *j)
{
    if (h->n + 1 >= h->room) {
        h->room = h->room ? 2 * h->room : 4;
        h->a = realloc(h->a, h->room * sizeof *h->a);
    }
    int i = ++h->n;
    while (i > 1 && before(j, h->a[i / 2])) {
        h->a[i] = h->a[i / 2];
        i /= 2;
    }
    h->a[i] = j;
}

static struct job *take(struct heap *h)
{
    struct job *top = h->a[1];
    struct job *last = h->a[h->n--];
    int i = 1;
    while (2 * i <= h->n) {
        int child = 2 * i;
        if (child < h->n && before(h->a[child + 1], h->a[child]))
            child++;
        if (!before(h->a[child], last))
            break;
        h->a[i] = h->a[child];
        i = child;
    }
    if (h->n > 0)
        h->a[i] = last;
    return top;
}

int main(void)
{
    struct heap h = {NULL, 0, 0};
    char word[16];
    int tickets = 0, sheets = 0;

    while (scanf("%15s", word) == 1) {
        if (strcmp(word, "print") == 0) {
            if (h.n == 0) {
                printf("idle\n");
                continue;
            }
            struct job *j = take(&h);
            sheets += j->pages;
            printf("%s (class %d, %d pages)\n", j->name, j->class, j->pages);
            free(j);
        } else {
            struct job *j = malloc(sizeof *j);
            strcpy(j->name, word);
            if (scanf("%d %d", &j->class, &j->pages) != 2) {
                free(j);
                break;
            }
            j->ticket = ++tickets;
            insert(&h, j);
        }
    }
    printf("%d sheets, %d jobs left\n", sheets, h.n);
    while (h.n > 0) {
        struct job *j = take(&h);
        printf("left %s\n", j->name);
        free(j);
    }
    free(h.a);
    return 0;
}

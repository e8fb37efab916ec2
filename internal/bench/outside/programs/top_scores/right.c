/* keeps the K best results of a stream in a small heap */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result {
    int score;
    char who[12];
};

struct top {
    struct result *heap;     /* worst of the best at 0 */
    int k, n;
};

static int worse(const struct result *a, const struct result *b)
{
    if (a->score != b->score)
        return a->score < b->score;
    return strcmp(a->who, b->who) > 0;
}

static void sift(struct result *h, int n, int i)
{
    int c;
    while ((c = 2 * i + 1) < n) {
        if (c + 1 < n && worse(&h[c + 1], &h[c]))
            c++;
        if (!worse(&h[c], &h[i]))
            break;
        struct result t = h[i];
        h[i] = h[c];
        h[c] = t;
        i = c;
    }
}

static void offer(struct top *t, const struct result *r)
{
    if (t->n < t->k) {
        int i = t->n++;
        while (i > 0 && worse(r, &t->heap[(i - 1) / 2])) {
            t->heap[i] = t->heap[(i - 1) / 2];
            i = (i - 1) / 2;
        }
        t->heap[i] = *r;
        return;
    }
    if (!worse(&t->heap[0], r))
        return;
    t->heap[0] = *r;
    sift(t->heap, t->n, 0);
}

static int sort_down(struct top *t)
{
    int n = t->n;
    for (int last = n - 1; last > 0; last--) {
        struct result r = t->heap[0];
        t->heap[0] = t->heap[last];
        t->heap[last] = r;
        sift(t->heap, last, 0);
    }
    t->n = 0;
    return n;
}

int main(int argc, char **argv)
{
    struct top t = { NULL, 3, 0 };
    struct result r;
    int n;

    if (argc > 1 && atoi(argv[1]) > 0 && atoi(argv[1]) <= 10)
        t.k = atoi(argv[1]);
    t.heap = malloc(t.k * sizeof *t.heap);
    memset(&r, 0, sizeof r);
    while (scanf("%11s %d", r.who, &r.score) == 2)
        offer(&t, &r);
    n = sort_down(&t);
    printf("best %d:\n", n);
    for (int i = 0; i < n; i++)
        printf("%2d. %-11s %d\n", i + 1, t.heap[i].who, t.heap[i].score);
    free(t.heap);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Quicksort with three parts (less, equal, greater) for records with a score and a name. */

typedef struct {
    int score;
    const char *name;
} record;

static int swaps;

static int compare(const record *a, const record *b)
{
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;    /* high scores first */
    return strcmp(a->name, b->name);
}

static void swap(record *a, record *b)
{
    record t = *a;
    *a = *b;
    *b = t;
    swaps++;
}

static void insertion(record *v, int n)
{
    int i, j;

    for (i = 1; i < n; i++) {
        record x = v[i];
        for (j = i; j > 0 && compare(&v[j - 1], &x) > 0; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

static void quick(record *v, int lo, int hi)
{
    int lt = lo, gt = hi, i = lo;
    record pivot;

    if (hi - lo < 3) {
        if (lo < hi)
            insertion(v + lo, hi - lo + 1);
        return;
    }
    pivot = v[(lo + hi) / 2];
    while (i <= gt) {
        int c = compare(&v[i], &pivot);

        if (c < 0) {
            if (i != lt)
                swap(&v[i], &v[lt]);
            lt++;
            i++;
        } else if (c > 0) {
            if (i != gt)
                swap(&v[i], &v[gt]);
            gt--;
            i++;
        } else {
            i++;
        }
    }
    quick(v, lo, lt - 1);
    quick(v, gt + 1, hi);
}

static int unique(record *v, int n)
{
    int i, m = 0;

    for (i = 0; i < n; i++)
        if (m == 0 || compare(&v[m - 1], &v[i]) != 0)
            v[m++] = v[i];
    return m;
}

/* NAME=SCORE ...; -u before them drops doubles */
int main(int argc, char **argv)
{
    record *v = malloc((argc + 1) * sizeof *v);
    int i, n = 0, drop = 0;

    for (i = 1; i < argc; i++) {
        char *eq = strchr(argv[i], '=');

        if (strcmp(argv[i], "-u") == 0) {
            drop = 1;
            continue;
        }
        if (eq == NULL) {
            printf("%s: no score\n", argv[i]);
            continue;
        }
        *eq = '\0';
        v[n].name = argv[i];
        v[n++].score = atoi(eq + 1);
    }
    quick(v, 0, n - 1);
    if (drop)
        n = unique(v, n);
    for (i = 0; i < n; i++)
        printf("%2d. %-6s %4d\n", i + 1, v[i].name, v[i].score);
    free(v);
    return 0;
}

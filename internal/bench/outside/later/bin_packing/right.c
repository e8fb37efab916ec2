#include <stdio.h>
#include <stdlib.h>

/* Packs parcels into boxes of one size: "f" first fit, "b" best fit, "w" worst fit;
   with a capital letter the parcels are sorted first, the heaviest in front.
   usage: bin_packing METHOD BOXSIZE PARCEL... */

#define MAXBOXES 50

struct box {
    int room;
    int parcels[MAXBOXES];
    int count;
};

static struct box boxes[MAXBOXES];
static int nboxes, box_size;

static int first_fit(int p)
{
    int i;
    for (i = 0; i < nboxes; i++)
        if (boxes[i].room >= p)
            return i;
    return -1;
}

static int best_fit(int p)
{
    int i, best = -1;
    for (i = 0; i < nboxes; i++) {
        if (boxes[i].room < p)
            continue;
        if (best < 0 || boxes[i].room < boxes[best].room)
            best = i;
    }
    return best;
}

static int worst_fit(int p)
{
    int i, best = -1;
    for (i = 0; i < nboxes; i++) {
        if (boxes[i].room < p)
            continue;
        if (best < 0 || boxes[i].room > boxes[best].room)
            best = i;
    }
    return best;
}

static int heavier_first(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

static void put(int p, int (*fit)(int))
{
    int b = nboxes == 0 ? -1 : fit(p);
    if (b < 0) {
        b = nboxes++;
        boxes[b].room = box_size;
    }
    boxes[b].room -= p;
    boxes[b].parcels[boxes[b].count++] = p;
}

int main(int argc, char **argv)
{
    int parcels[MAXBOXES], n = 0, i, k, waste = 0;
    int (*fit)(int);
    char method;

    if (argc < 3 || argc > MAXBOXES || (box_size = atoi(argv[2])) <= 0) {
        printf("usage: method size parcels\n");
        return 2;
    }
    method = argv[1][0];
    for (i = 3; i < argc; i++) {
        int p = atoi(argv[i]);
        if (p <= 0 || p > box_size)
            printf("%d fits nowhere\n", p);
        else
            parcels[n++] = p;
    }
    if (method == 'F' || method == 'B' || method == 'W') {
        qsort(parcels, n, sizeof parcels[0], heavier_first);
        method += 'a' - 'A';
    }
    fit = method == 'b' ? best_fit : method == 'w' ? worst_fit : first_fit;
    for (i = 0; i < n; i++)
        put(parcels[i], fit);
    for (i = 0; i < nboxes; i++) {
        printf("box %d:", i + 1);
        for (k = 0; k < boxes[i].count; k++)
            printf(" %d", boxes[i].parcels[k]);
        printf(" (%d left)\n", boxes[i].room);
        waste += boxes[i].room;
    }
    printf("%d boxes, %d wasted\n", nboxes, waste);
    return 0;
}

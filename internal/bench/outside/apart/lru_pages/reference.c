#include <stdio.h>
#include <stdlib.h>

/* each frame remembers when it was used last */

#define MAXFRAMES 64

int page[MAXFRAMES], last[MAXFRAMES], used[MAXFRAMES];

int main(int argc, char *argv[])
{
    int frames, filled = 0;
    if (argc == 1)
        return 2;
    frames = atoi(argv[1]);
    for (int t = 2; t < argc; t++) {
        int p = atoi(argv[t]), k = 0, oldest = 0;
        while (k < filled && page[k] != p)
            k++;
        if (k < filled) {
            used[k]++;
            last[k] = t;
            printf("%d hit\n", p);
            continue;
        }
        if (filled < frames) {
            filled++;
            printf("%d loaded\n", p);
        } else {
            for (int j = 1; j < filled; j++)
                if (last[j] < last[oldest])
                    oldest = j;
            k = oldest;
            printf("%d loaded for %d (used %d)\n", p, page[k], used[k]);
        }
        page[k] = p;
        used[k] = 1;
        last[k] = t;
    }
    printf("kept:");
    for (int t = argc; t >= 2; t--)
        for (int k = 0; k < filled; k++)
            if (last[k] == t)
                printf(" %d", page[k]);
    printf("\n");
    return 0;
}

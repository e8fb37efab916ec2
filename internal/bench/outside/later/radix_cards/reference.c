#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* counting sort on arrays */

typedef struct { int n; char c; } Card;

int main(int argc, char **argv)
{
    Card a[100], b[100];
    int n = argc - 1, i, power, max = 0;

    for (i = n - 1; i >= 0; i--)
    {
        a[i].n = -1;
        if (sscanf(argv[i + 1], "%4d%c", &a[i].n, &a[i].c) < 2 || a[i].n < 0)
        {
            printf("bad card %s\n", argv[i + 1]);
            return 1;
        }
        max = a[i].n > max ? a[i].n : max;
    }
    printf("deck:");
    for (i = 0; i < n; i++)
        printf(" %d%c", a[i].n, a[i].c);
    for (power = 1; power <= max; power *= 10)
    {
        int where[11] = {0};
        for (i = 0; i < n; i++)
            where[a[i].n / power % 10 + 1]++;
        for (i = 1; i < 11; i++)
            where[i] += where[i - 1];
        for (i = 0; i < n; i++)
            b[where[a[i].n / power % 10]++] = a[i];
        memcpy(a, b, sizeof a);
        printf("\nby %d:", power);
        for (i = 0; i < n; i++)
            printf(" %d%c", a[i].n, a[i].c);
    }
    printf("\n");
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

/* counts how often each value from -999 to 999 is there */

#define ZERO 999

int times[2 * ZERO + 1];

/* the k-th smallest, from 1 */
int kth(int k)
{
    int v = 0;
    while ((k -= times[v]) > 0)
        v++;
    return v - ZERO;
}

int main(int argc, char *argv[])
{
    int n = 0, most = 0;
    double sum = 0;
    while (*++argv) {
        int x = atoi(*argv);
        times[x + ZERO]++;
        sum += x;
        n++;
    }
    if (argc <= 1) {
        puts("no numbers");
        return 1;
    }
    printf("%d values up to %d, mean %.2f\n", n, kth(n), sum / n);
    printf("from %d, median %.1f\n", kth(1), (kth((n + 1) / 2) + kth(n / 2 + 1)) * 0.5);
    for (int v = 0; v <= 2 * ZERO; v++)
        if (times[v] > times[most])
            most = v;
    printf("mode %d (%d times)\n", most - ZERO, times[most]);
    int low = kth(1), high = kth(n), t;
    for (t = -1000; t + 9 < low; t += 10)
        ;
    for (; t <= high; t += 10) {
        printf("%4d ", t);
        for (int x = t; x < t + 10; x++)
            for (int k = 0; x >= -ZERO && x <= ZERO && k < times[x + ZERO]; k++)
                printf("#");
        printf("\n");
    }
    return 0;
}

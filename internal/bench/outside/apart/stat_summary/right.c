#include <stdio.h>
#include <stdlib.h>

/* stat_summary: whole numbers as arguments; count, least and greatest, mean, median,
   most frequent value (the smallest of several), and a histogram in steps of ten */

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int greatest(const int *v, int n)
{
    int best = v[0];
    for (int i = 1; i < n; i++)
        if (v[i] > best)
            best = v[i];
    return best;
}

static double mean(const int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return (double)sum / n;
}

static double median(const int *sorted, int n)
{
    if (n % 2 == 1)
        return sorted[n / 2];
    return (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

static int mode(const int *sorted, int n, int *times)
{
    int best = sorted[0], run = 0;
    *times = 0;
    for (int i = 0; i < n; i++) {
        run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        if (run > *times) {
            *times = run;
            best = sorted[i];
        }
    }
    return best;
}

/* which ten a number belongs to, -1..-10 is -1 */
static int ten(int x)
{
    return x >= 0 ? x / 10 : (x + 1) / 10 - 1;
}

static void histogram(const int *sorted, int n)
{
    int i = 0;
    for (int t = ten(sorted[0]); i < n; t++) {
        printf("%4d ", t * 10);
        while (i < n && ten(sorted[i]) == t) {
            putchar('#');
            i++;
        }
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    int n = argc - 1, times;

    if (n < 1) {
        printf("no numbers\n");
        return 1;
    }
    int *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = atoi(argv[i + 1]);
    printf("%d values up to %d, mean %.2f\n", n, greatest(v, n), mean(v, n));
    qsort(v, n, sizeof *v, by_value);
    printf("from %d, median %.1f\n", v[0], median(v, n));
    int m = mode(v, n, &times);
    printf("mode %d (%d times)\n", m, times);
    histogram(v, n);
    free(v);
    return 0;
}

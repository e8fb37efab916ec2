/* Products of matrices that are allocated by rows. */
#include <stdio.h>
#include <stdlib.h>

static double **make(int n)
{
    double **m = malloc(n * sizeof *m);
    for (int i = 0; i < n; i++) {
        m[i] = malloc(n * sizeof **m);
        for (int j = 0; j < n; j++)
            m[i][j] = (i * 31 + j * 17) % 10;
    }
    return m;
}

static void multiply(double **c, double **a, double **b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

static void drop(double **m, int n)
{
    for (int i = 0; i < n; i++)
        free(m[i]);
    free(m);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 50;
    double **a = make(n), **b = make(n), **c = make(n), trace = 0;
    multiply(c, a, b, n);
    multiply(a, c, b, n);
    for (int i = 0; i < n; i++)
        trace += a[i][i];
    printf("%g\n", trace);
    drop(a, n);
    drop(b, n);
    drop(c, n);
    return 0;
}

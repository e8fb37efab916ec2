#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the size of a square matrix, the matrix, then pairs of an exponent and a modulus;
 * prints the power of the matrix by that modulus, and its trace. */

#define MAX 5

typedef struct {
    int n;
    long a[MAX][MAX];
} matrix;

static matrix identity(int n)
{
    matrix m;
    memset(&m, 0, sizeof m);
    m.n = n;
    for (int i = 0; i < n; i++)
        m.a[i][i] = 1;
    return m;
}

/* x = x * y */
static void multiply(matrix *x, const matrix *y, long mod)
{
    for (int i = 0; i < x->n; i++) {
        for (int j = 0; j < x->n; j++) {
            long sum = 0;
            for (int k = 0; k < x->n; k++)
                sum += x->a[i][k] * y->a[k][j];
            x->a[i][j] = sum % mod;
        }
    }
}

static matrix power(matrix base, long e, long mod)
{
    matrix result = identity(base.n);
    while (e > 0) {
        if (e % 2 == 1)
            multiply(&result, &base, mod);
        multiply(&base, &base, mod);
        e /= 2;
    }
    return result;
}

static long trace(const matrix *m, long mod)
{
    long t = 0;
    for (int i = 0; i < m->n; i++)
        t += m->a[i][i];
    return t % mod;
}

int main(void)
{
    matrix m;
    long e, mod;

    if (scanf("%d", &m.n) != 1 || m.n < 1 || m.n > MAX) {
        printf("size 1 to %d\n", MAX);
        return 1;
    }
    for (int i = 0; i < m.n; i++)
        for (int j = 0; j < m.n; j++)
            if (scanf("%ld", &m.a[i][j]) != 1)
                return 1;
    while (scanf("%ld %ld", &e, &mod) == 2) {
        matrix p = power(m, e, mod);
        printf("power %ld mod %ld, trace %ld\n", e, mod, trace(&p, mod));
        for (int i = 0; i < p.n; i++) {
            for (int j = 0; j < p.n; j++)
                printf("%s%ld", j ? " " : "", p.a[i][j]);
            printf("\n");
        }
    }
    return 0;
}

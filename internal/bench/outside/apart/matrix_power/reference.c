#include <stdio.h>
#include <stdlib.h>

/* the slow way: one multiplication after the other, in flat arrays */

int n;

int *times(const int *x, const int *y, int mod)
{
    int *z = calloc(n * n, sizeof(int));
    for (int k = 0; k < n; k++)
        for (int p = 0; p < n * n; p++)
            z[p] = (z[p] + x[p / n * n + k] % mod * (y[k * n + p % n] % mod)) % mod;
    return z;
}

int main(void)
{
    int e, mod;
    if (scanf("%d", &n) != 1 || n < 1 || n > 5) {
        puts("size 1 to 5");
        return 1;
    }
    int *m = malloc(n * n * sizeof(int));
    for (int p = 0; p < n * n; p++)
        scanf("%d", &m[p]);
    while (scanf("%d%d", &e, &mod) == 2) {
        int *r = calloc(n * n, sizeof(int)), tr = 0;
        for (int i = 0; i < n * n; i += n + 1)
            r[i] = 1;
        for (int i = 0; i < e; i++) {
            int *next = times(r, m, mod);
            free(r);
            r = next;
        }
        for (int i = 0; i < n; i++)
            tr = (tr + r[i * n + i]) % mod;
        printf("power %d mod %d, trace %d\n", e, mod, tr);
        for (int p = 0; p < n * n; p++)
            printf("%d%c", r[p], p % n == n - 1 ? '\n' : ' ');
        free(r);
    }
    free(m);
    return 0;
}

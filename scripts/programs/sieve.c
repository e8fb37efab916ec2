/* Primes by a sieve, and the longest chain of halving and tripling: loops over numbers. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, primes = 0, best = 1, longest = 0;
    char *out = calloc(n + 1, 1);
    for (int i = 2; i <= n; i++) {
        if (out[i])
            continue;
        primes++;
        for (long j = (long)i * i; j <= n; j += i)
            out[j] = 1;
    }
    for (int i = 1; i <= n / 4; i++) {
        int steps = 0;
        for (unsigned long x = i; x != 1; steps++)
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        if (steps > longest) {
            longest = steps;
            best = i;
        }
    }
    printf("%d %d %d\n", primes, best, longest);
    free(out);
    return 0;
}

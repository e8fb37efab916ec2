#include <stdio.h>
#include <stdlib.h>

/* The names stay in an array that is closed up when somebody leaves. */

int main(int argc, char *argv[])
{
    if (argc < 3)
        return 2;
    int count = atoi(argv[1]);
    if (count < 1)
        return 2;
    char **kids = argv + 2;
    int n = argc - 2, at = 0, step = 1, round = 0;

    while (n > 1) {
        printf("(");
        for (int k = 0; k < n - 1; k++)
            printf("%s ", kids[k]);
        printf("%s)\n", kids[n - 1]);

        at = ((at + step * (count - 1)) % n + n) % n;
        printf("%d: %s leaves\n", ++round, kids[at]);
        for (int k = at; k + 1 < n; k++)
            kids[k] = kids[k + 1];
        n--;
        step = -step;
        /* who followed stands at the same place now, who came before one below */
        if (step < 0)
            at--;
        at = (at + n) % n;
    }
    printf("%s is it\n", kids[0]);
    return 0;
}

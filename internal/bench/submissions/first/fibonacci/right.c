#include <stdio.h>

int main()
{
    int n, i, f1 = 0, f2 = 1, prox;

    scanf("%d", &n);
    for (i = 1; i <= n; i++) {
        printf("%d", f1);
        if (i < n)
            printf(", ");
        prox = f1 + f2;
        f1 = f2;
        f2 = prox;
    }
    printf("\n");
    return 0;
}

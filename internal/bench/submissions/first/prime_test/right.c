#include <stdio.h>

int main() {
    int n, i, divisores = 0;

    scanf("%d", &n);
    for (i = 1; i <= n; i++)
        if (n % i == 0)
            divisores++;
    if (divisores == 2)
        printf("prime\n");
    else
        printf("not prime\n");
    return 0;
}

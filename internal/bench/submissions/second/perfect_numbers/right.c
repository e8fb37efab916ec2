#include <stdio.h>

int main()
{
    int a, b, n, i, soma, quantos = 0;

    scanf("%d %d", &a, &b);
    for (n = a; n <= b; n++) {
        soma = 0;
        for (i = 1; i < n; i++) {
            if (n % i == 0)
                soma += i;
        }
        if (soma == n && n > 0) {
            printf("%d\n", n);
            quantos++;
        }
    }
    if (quantos == 0)
        printf("none\n");
    return 0;
}

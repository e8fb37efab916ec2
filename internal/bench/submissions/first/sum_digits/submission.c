#include <stdio.h>

int main() {
    int n, soma = 0;

    scanf("%d", &n);
    while (n > 9) {
        soma = soma + n % 10;
        n = n / 10;
    }
    printf("%d\n", soma);
    return 0;
}

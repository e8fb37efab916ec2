#include <stdio.h>

int main()
{
    int v[100];
    int n, i, soma = 0, conta = 0;
    float media;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
    {
        scanf("%d", &v[i]);
        soma = soma + v[i];
    }
    media = soma / n;
    for (i = 0; i < n; i++)
    {
        if (v[i] > media)
            conta++;
    }
    printf("Mean: %.2f\n", media);
    printf("Above: %d\n", conta);
    return 0;
}

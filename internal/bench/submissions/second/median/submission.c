#include <stdio.h>

int main()
{
    int v[50], n, i, j, aux;
    float mediana;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &v[i]);
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            if (v[i] > v[j]) {
                v[i] = v[j];
                v[j] = v[i];
            }
    if (n % 2 == 1)
        mediana = v[n / 2];
    else
        mediana = (v[n / 2 - 1] + v[n / 2]) / 2;
    printf("%.1f\n", mediana);
    return 0;
}

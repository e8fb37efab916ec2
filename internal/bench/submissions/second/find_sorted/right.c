#include <stdio.h>

int procura(int v[], int n, int x)
{
    int esq = 0, dir = n - 1, meio;

    while (esq <= dir) {
        meio = (esq + dir) / 2;
        if (v[meio] == x)
            return meio;
        if (v[meio] < x)
            esq = meio + 1;
        else
            dir = meio - 1;
    }
    return -1;
}

int main()
{
    int v[100], n, i, x;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &v[i]);
    while (scanf("%d", &x) == 1)
        printf("%d\n", procura(v, n, x));
    return 0;
}

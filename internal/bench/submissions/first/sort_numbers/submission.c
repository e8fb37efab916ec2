#include <stdio.h>

void bubble(int v[], int n)
{
    int i, j, aux;

    for (i = 0; i < n - 1; i++)
        for (j = 0; j < n - 1 - i; j++)
            if (v[j] > v[j + 1]) {
                aux = v[j];
                v[j] = v[j + 1];
                v[j + 1] = v[j];
            }
}

int main()
{
    int n, i, v[100];

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &v[i]);
    bubble(v, n);
    for (i = 0; i < n; i++)
        printf("%d\n", v[i]);
    return 0;
}

#include <stdio.h>

int main()
{
    int m[20][20];
    int l, c, i, j, soma = 0;

    scanf("%d %d", &l, &c);
    for (i = 0; i < l; i++)
        for (j = 0; j < c; j++)
            scanf("%d", &m[i][j]);

    for (i = 0; i < l; i++)
    {
        soma = 0;
        for (j = 0; j < c; j++)
        {
            soma += m[i][j];
        }
        printf("%d\n", soma);
    }
    return 0;
}

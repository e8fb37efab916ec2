#include <stdio.h>
#include <string.h>

int main()
{
    char nomes[20][30], temp[30];
    int n, i, j;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%s", nomes[i]);
    for (i = 0; i < n - 1; i++) {
        for (j = 0; j < n - 1; j++) {
            if (nomes[j] > nomes[j + 1]) {
                strcpy(temp, nomes[j]);
                strcpy(nomes[j], nomes[j + 1]);
                strcpy(nomes[j + 1], temp);
            }
        }
    }
    for (i = 0; i < n; i++)
        printf("%s\n", nomes[i]);
    return 0;
}

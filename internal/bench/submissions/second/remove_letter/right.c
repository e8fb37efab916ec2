#include <stdio.h>
#include <string.h>

int main()
{
    char letra, palavra[100];
    int i, j, n;

    scanf("%c", &letra);
    scanf("%s", palavra);
    n = strlen(palavra);
    i = 0;
    while (i < n) {
        if (palavra[i] == letra) {
            for (j = i; j < n; j++)
                palavra[j] = palavra[j + 1];
            n--;
        } else
            i++;
    }
    printf("%s\n", palavra);
    return 0;
}

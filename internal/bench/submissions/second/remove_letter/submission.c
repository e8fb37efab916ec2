#include <stdio.h>
#include <string.h>

int main()
{
    char letra, palavra[100];
    int i, j, n;

    scanf("%c", &letra);
    scanf("%s", palavra);
    n = strlen(palavra);
    for (i = 0; i < n; i++) {
        if (palavra[i] == letra) {
            for (j = i; j < n; j++)
                palavra[j] = palavra[j + 1];
            n--;
        }
    }
    printf("%s\n", palavra);
    return 0;
}

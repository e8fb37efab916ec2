#include <stdio.h>
#include <ctype.h>

int main()
{
    char linha[200];
    int i, n;

    fgets(linha, 200, stdin);
    for (i = 0; linha[i] != '\0'; i++) {
        char c = linha[i];
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u')
            n++;
    }
    printf("%d\n", n);
    return 0;
}

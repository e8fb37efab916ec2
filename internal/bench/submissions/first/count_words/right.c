#include <stdio.h>

#define FORA 0
#define DENTRO 1

int main()
{
    int c, estado = FORA, palavras = 0;

    while ((c = getchar()) != EOF) {
        if (c == ' ' || c == '\n' || c == '\t')
            estado = FORA;
        else if (estado == FORA) {
            estado = DENTRO;
            palavras++;
        }
    }
    printf("words: %d\n", palavras);
    return 0;
}

#include <stdio.h>
#include <string.h>
#include <ctype.h>

int main() {
    char frase[100];
    int i;

    fgets(frase, 100, stdin);
    for (i = 0; i < strlen(frase); i++) {
        if (i == 0 || frase[i - 1] == ' ')
            frase[i] = toupper(frase[i]);
    }
    printf("%s", frase);
    return 0;
}

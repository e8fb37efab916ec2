#include <stdio.h>

int main()
{
    int secreto, palpite, tentativas = 0;

    scanf("%d", &secreto);
    scanf("%d", &palpite);
    while (palpite != secreto) {
        if (palpite > secreto)
            printf("higher\n");
        else
            printf("lower\n");
        scanf("%d", &palpite);
        tentativas++;
    }
    printf("found in %d tries\n", tentativas);
    return 0;
}

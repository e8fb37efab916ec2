#include <stdio.h>

int main()
{
    int num, passos = 0, maior;

    scanf("%d", &num);
    maior = num;
    while (num != 1) {
        if (num % 2 == 0)
            num = num / 2;
        else
            num = num * 3 + 1;
        if (num > maior)
            maior = num;
        passos++;
    }
    printf("%d %d\n", passos, maior);
    return 0;
}

#include <stdio.h>

int main()
{
    int ano;

    scanf("%d", &ano);
    if (ano % 4 == 0 && ano % 400 == 0)
        printf("leap\n");
    else
        printf("common\n");
    return 0;
}

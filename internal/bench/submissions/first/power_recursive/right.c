#include <stdio.h>

int potencia(int base, int exp)
{
    if (exp == 0)
        return 1;
    return base * potencia(base, exp - 1);
}

int main()
{
    int b, e;

    scanf("%d%d", &b, &e);
    printf("%d\n", potencia(b, e));
    return 0;
}

#include <stdio.h>

void troca(int *x, int *y)
{
    int t = *x;
    *x = *y;
    *y = t;
}

int main()
{
    int a, b;

    scanf("%d %d", &a, &b);
    while (a != 0 || b != 0) {
        if (a > b)
            troca(&a, &b);
        printf("%d %d\n", a, b);
        scanf("%d %d", &a, &b);
    }
    return 0;
}

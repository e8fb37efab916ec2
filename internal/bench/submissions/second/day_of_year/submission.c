#include <stdio.h>

int main()
{
    int dias[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int d, m, a, i, total;

    scanf("%d %d %d", &d, &m, &a);
    if (a % 4 == 0)
        dias[2] = 29;
    for (i = 0; i < m; i++)
        total += dias[i];
    total += d;
    printf("%d\n", total);
    return 0;
}

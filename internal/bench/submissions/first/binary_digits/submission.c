#include <stdio.h>

int main()
{
    int n, i = 0, bits[32];

    scanf("%d", &n);
    while (n > 0) {
        bits[i] = n % 2;
        n = n / 2;
        i++;
    }
    for (i = i; i >= 0; i--)
        printf("%d", bits[i]);
    printf("\n");
    return 0;
}

#include <stdio.h>
#include <limits.h>

int main()
{
    int n, i, x;
    int maior = INT_MIN, segundo = INT_MIN;

    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &x);
        if (x > maior) {
            maior = x;
        }
        else if (x > segundo)
            segundo = x;
    }
    printf("%d %d\n", maior, segundo);
    return 0;
}

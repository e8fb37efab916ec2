#include <stdio.h>

int main()
{
    int digits[10];
    int i, j, c;

    for (i = 0; i < 10; i++)
        digits[i] = 0;
    while ((c = getchar()) != EOF) {
        if (c >= '0' && c <= '9')
            digits[c - '0']++;
    }
    for (i = 0; i < 10; i++) {
        if (digits[i] > 0) {
            printf("%d:", i);
            for (j = 0; j < digits[i]; j++)
                printf("*");
            printf("\n");
        }
    }
    return 0;
}

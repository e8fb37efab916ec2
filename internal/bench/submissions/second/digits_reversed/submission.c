#include <stdio.h>

int main(void) {
    int num, first = 1;
    scanf("%d", &num);
    while (num > 0) {
        if (!first)
            printf(" ");
        printf("%d", num % 10);
        first = 0;
        num = num / 10;
    }
    printf("\n");
    return 0;
}

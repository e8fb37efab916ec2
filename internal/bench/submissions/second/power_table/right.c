#include <stdio.h>

int main() {
    int a, b, i, j, p;

    scanf("%d %d", &a, &b);
    for (i = 1; i <= a; i++) {
        p = 1;
        for (j = 1; j <= b; j++) {
            p = p * i;
            printf("%d", p);
            if (j != b)
                printf(" ");
        }
        printf("\n");
    }
    return 0;
}

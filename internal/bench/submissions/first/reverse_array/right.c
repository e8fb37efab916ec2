#include <stdio.h>

#define MAX 50

int main() {
    int i, n;
    int vec[MAX];

    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &vec[i]);
    }
    for (i = n - 1; i >= 0; i--) {
        printf("%d", vec[i]);
        if (i > 0)
            printf(" ");
    }
    printf("\n");
    return 0;
}

#include <stdio.h>

int main(void) {
    int v[50], n = 0, num, i, j, key;

    scanf("%d", &num);
    while (num != 0) {
        v[n] = num;
        n++;
        scanf("%d", &num);
    }
    for (i = 1; i < n; i++) {
        key = v[i];
        j = i - 1;
        while (j > 0 && v[j] > key) {
            v[j + 1] = v[j];
            j--;
        }
        v[j + 1] = key;
    }
    for (i = 0; i < n; i++) {
        if (i > 0)
            printf(" ");
        printf("%d", v[i]);
    }
    printf("\n");
    return 0;
}

#include <stdio.h>

int main() {
    int n, original, inverso, d;

    scanf("%d", &n);
    while (n != -1) {
        original = n;
        inverso = 0;
        while (n > 0) {
            d = n % 10;
            inverso = inverso * 10 + d;
            n = n / 10;
        }
        if (inverso == original)
            printf("yes\n");
        else
            printf("no\n");
        scanf("%d", &n);
    }
    return 0;
}

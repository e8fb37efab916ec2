/* Read n (at least 1) and print the first n Fibonacci numbers (0, 1, 1, 2, ...) on one line, separated by ", ". */
#include <stdio.h>

int main(void)
{
    int n, a = 0, b = 1;

    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        printf("%s%d", i ? ", " : "", a);
        b += a;
        a = b - a;
    }
    printf("\n");
    return 0;
}

#include <stdio.h>

int main(void)
{
    int n, x, best, at = 1;
    if (scanf("%d", &n) != 1 || n < 1)
        return 1;
    scanf("%d", &best);
    for (int i = 2; i <= n; i++) {
        scanf("%d", &x);
        if (x > best) {
            best = x;
            at = i;
        }
    }
    printf("%d at %d\n", best, at);
    return 0;
}

/* Read N (at least 2) and N integers; print the largest and the second largest (equal ones count twice), separated by a blank. */
#include <stdio.h>

int main(void)
{
    int n, a, b, x;

    scanf("%d%d%d", &n, &a, &b);
    if (b > a) {
        x = a;
        a = b;
        b = x;
    }
    for (int i = 2; i < n; i++) {
        scanf("%d", &x);
        if (x > a) {
            b = a;
            a = x;
        } else if (x > b)
            b = x;
    }
    printf("%d %d\n", a, b);
    return 0;
}

/* A menu, read until 0: "1 X" keeps the mark X (an integer), "2" prints "mean: M" with two decimals of all marks so far, or "no marks". Anything else prints "unknown option". */
#include <stdio.h>

int main(void)
{
    int op, x, n = 0, sum = 0;

    while (scanf("%d", &op) == 1 && op != 0) {
        if (op == 1 && scanf("%d", &x) == 1) {
            sum += x;
            n++;
        } else if (op == 2 && n > 0)
            printf("mean: %.2f\n", (double)sum / n);
        else if (op == 2)
            printf("no marks\n");
        else
            printf("unknown option\n");
    }
    return 0;
}

/* Read a number (1 or more). Until it is 1: an even number is halved, an odd one is multiplied by 3 and 1 is added. Print how many steps that takes and the largest number on the way, as "steps max". */
#include <stdio.h>

int main(void)
{
    int n, steps = 0, max;

    scanf("%d", &n);
    for (max = n; n != 1; steps++) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (n > max)
            max = n;
    }
    printf("%d %d\n", steps, max);
    return 0;
}

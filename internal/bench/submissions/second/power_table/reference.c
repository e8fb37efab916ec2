/* Read A and B. For each number from 1 to A print a line with its first B powers, separated by a space. */
#include <stdio.h>

int main(void)
{
    int a, b;

    scanf("%d%d", &a, &b);
    for (int i = 1; i <= a; i++)
        for (int j = 1, x = i; j <= b; j++, x *= i)
            printf("%d%c", x, j < b ? ' ' : '\n');
    return 0;
}

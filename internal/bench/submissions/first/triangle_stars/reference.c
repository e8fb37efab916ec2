/* Read n and print a right-aligned triangle of stars: line i has n-i blanks and i stars. */
#include <stdio.h>

int main(void)
{
    int n;

    scanf("%d", &n);
    for (int i = 1; i <= n; i++) {
        for (int j = 0; j < n; j++)
            putchar(j < n - i ? ' ' : '*');
        putchar('\n');
    }
    return 0;
}

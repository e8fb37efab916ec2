/* Read a non-negative integer and print the sum of its digits. */
#include <stdio.h>

int main(void)
{
    int c, sum = 0;

    while ((c = getchar()) >= '0' && c <= '9')
        sum += c - '0';
    printf("%d\n", sum);
    return 0;
}

/* Read a line and print how many vowels it has (both cases). */
#include <stdio.h>
#include <string.h>

int main(void)
{
    int c, n = 0;

    while ((c = getchar()) != EOF && c != '\n')
        if (strchr("aeiouAEIOU", c))
            n++;
    printf("%d\n", n);
    return 0;
}

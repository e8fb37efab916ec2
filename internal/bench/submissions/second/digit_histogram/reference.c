/* Read characters until the end of the input. Print for each digit that occurs a line with the digit, a colon, and as many stars. */
#include <stdio.h>
#include <ctype.h>

int main(void)
{
    int c, n[10] = {0};

    while ((c = getchar()) != EOF)
        if (isdigit(c))
            n[c - '0']++;
    for (int i = 0; i < 10; i++)
        if (n[i]) {
            printf("%d:", i);
            while (n[i]--)
                putchar('*');
            putchar('\n');
        }
    return 0;
}

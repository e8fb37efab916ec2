/* Read a line and print it without its blanks. */
#include <stdio.h>

int main(void)
{
    int c;

    while ((c = getchar()) != EOF && c != '\n')
        if (c != ' ')
            putchar(c);
    putchar('\n');
    return 0;
}

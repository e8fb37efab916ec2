/* Read a line; print it with the first letter of every word in upper case, the others as they are. */
#include <stdio.h>
#include <ctype.h>

int main(void)
{
    int c, prev = ' ';

    while ((c = getchar()) != EOF && c != '\n') {
        putchar(isspace(prev) ? toupper(c) : c);
        prev = c;
    }
    putchar('\n');
    return 0;
}

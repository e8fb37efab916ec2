/* Read a letter and then, in the next line, a word. Print the word without the letter. */
#include <stdio.h>

int main(void)
{
    char c, w[100], *s;

    scanf(" %c %99s", &c, w);
    for (s = w; *s; s++)
        if (*s != c)
            putchar(*s);
    putchar('\n');
    return 0;
}

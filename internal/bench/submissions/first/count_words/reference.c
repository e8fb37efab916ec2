/* Count the words of the input (until the end of the file). Words are separated by blanks, tabs and newlines. Print "words: N". */
#include <stdio.h>
#include <ctype.h>

int main(void)
{
    int c, in = 0, n = 0;

    while ((c = getchar()) != EOF) {
        if (isspace(c))
            in = 0;
        else if (!in) {
            in = 1;
            n++;
        }
    }
    printf("words: %d\n", n);
    return 0;
}

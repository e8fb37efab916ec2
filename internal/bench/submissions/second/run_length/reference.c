/* Read a word. Print each run of equal letters as the letter and how long the run is: aaab is a3b1. */
#include <stdio.h>

int main(void)
{
    char w[200];
    int i, n;

    scanf("%199s", w);
    for (i = 0; w[i]; i += n) {
        for (n = 1; w[i + n] == w[i]; n++)
            ;
        printf("%c%d", w[i], n);
    }
    putchar('\n');
    return 0;
}

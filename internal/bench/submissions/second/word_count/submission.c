#include <stdio.h>
#include <ctype.h>

int main()
{
    int c, prev = ' ', words = 0;

    while ((c = getchar()) != EOF) {
        if (!isspace(c) && isspace(prev))
            words++;
    }
    printf("%d\n", words);
    return 0;
}

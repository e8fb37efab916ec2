#include <stdio.h>
#include <string.h>

int main()
{
    char word[100], longest[100];
    int c, len = 0, max = 0;

    while (1) {
        c = getchar();
        if (c == ' ' || c == '\n' || c == EOF) {
            word[len] = '\0';
            if (len > max) {
                max = len;
                strcpy(longest, word);
            }
            len = 0;
            if (c == '\n' || c == EOF)
                break;
        } else {
            word[len] = c;
            len++;
        }
    }
    printf("%s %d\n", longest, max);
    return 0;
}

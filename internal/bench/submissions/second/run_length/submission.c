#include <stdio.h>
#include <string.h>

int main()
{
    char s[200];
    int i, count = 1;

    scanf("%s", s);
    for (i = 1; i < strlen(s); i++) {
        if (s[i] == s[i - 1])
            count++;
        else {
            printf("%c%d", s[i - 1], count);
            count = 0;
        }
    }
    printf("\n");
    return 0;
}

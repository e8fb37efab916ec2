#include <stdio.h>

void tira(char s[])
{
    int i, j = 0;
    for (i = 0; s[i] != '\0'; i++) {
        if (s[i] != ' ') {
            s[j] = s[i];
            j++;
        }
    }
}

int main()
{
    char s[200];

    fgets(s, 200, stdin);
    tira(s);
    printf("%s", s);
    return 0;
}

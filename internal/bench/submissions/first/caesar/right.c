#include <stdio.h>
#include <string.h>

int main()
{
    char s[100];
    int k, i;

    scanf("%d", &k);
    getchar();
    fgets(s, 100, stdin);
    for (i = 0; i < strlen(s); i++) {
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] = (s[i] - 'a' + k) % 26 + 'a';
        else if (s[i] >= 'A' && s[i] <= 'Z')
            s[i] = (s[i] - 'A' + k) % 26 + 'A';
    }
    printf("%s", s);
    return 0;
}

#include <stdio.h>
#include <string.h>

int main()
{
    char palavra[100];
    int freq[26]; 
    int i;

    for (i = 0; i < 26; i++)
        freq[i] = 0;
    scanf("%s", palavra);
    for (i = 0; i < strlen(palavra); i++)
        freq[palavra[i] - 'a']++;
    for (i = 0; i < 26; i++)
        if (freq[i] > 0)
            printf("%c: %d\n", i + 'a', freq[i]);
    return 0;
}

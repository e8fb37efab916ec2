/* Read a word of lower case letters; print each letter that occurs, in alphabetical order, with how often: "a: 3". */
#include <stdio.h>

int main(void)
{
    int n[26] = {0}, c;

    while ((c = getchar()) >= 'a' && c <= 'z')
        n[c - 'a']++;
    for (int i = 0; i < 26; i++)
        if (n[i])
            printf("%c: %d\n", 'a' + i, n[i]);
    return 0;
}

/* Read a key (0 to 25) and a line of text. Print the line with each letter shifted by the key; other characters stay. */
#include <stdio.h>

int main(void)
{
    int key, c;

    scanf("%d ", &key);
    while ((c = getchar()) != EOF && c != '\n') {
        if (c >= 'a' && c <= 'z')
            c = 'a' + (c - 'a' + key) % 26;
        else if (c >= 'A' && c <= 'Z')
            c = 'A' + (c - 'A' + key) % 26;
        putchar(c);
    }
    putchar('\n');
    return 0;
}

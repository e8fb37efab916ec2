/* Takes the blanks off both ends of a text, in place; returns its length. */
#include <stdio.h>

int trim(char *s)
{
    int begin = 0;
    int end = 0;
    int i;
    while (s[begin] == ' ')
        begin++;
    for (i = begin; s[i] != '\0'; i++) {
        if (s[i] != ' ')
            end = i + 1;
    }
    if (end < begin)
        end = begin;
    for (i = begin; i < end; i++)
        s[i - begin] = s[i];
    s[end - begin] = '\0';
    return end - begin;
}

int main(void)
{
    char text[] = "  a b ";
    int n = trim(text);
    printf("%d [%s]\n", n, text);
    return 0;
}

/* Print the digits of a number (0 or more) from the last to the first, separated by one space. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[16];
    int i;

    scanf("%15s", s);
    for (i = (int)strlen(s) - 1; i >= 0; i--)
        printf(i ? "%c " : "%c\n", s[i]);
    return 0;
}

/* Read two words. Print "equal" if they are the same, else the one that comes first in the alphabet. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char a[64], b[64];

    scanf("%63s %63s", a, b);
    int c = strcmp(a, b);
    puts(c == 0 ? "equal" : c < 0 ? a : b);
    return 0;
}

/* Read a year and print "leap" or "common". */
#include <stdio.h>

int main(void)
{
    int y;

    scanf("%d", &y);
    puts(y % 4 == 0 && y % 100 != 0 || y % 400 == 0 ? "leap" : "common");
    return 0;
}

/* Three sides (integers), for each triple until the end of the input: print "equilateral", "isosceles", "scalene" or "no triangle" (a side is as long as the two others together, or longer). */
#include <stdio.h>

int main(void)
{
    int a, b, c;

    while (scanf("%d%d%d", &a, &b, &c) == 3)
        if (a >= b + c || b >= a + c || c >= a + b)
            puts("no triangle");
        else
            puts(a == b ? b == c ? "equilateral" : "isosceles" : b == c || a == c ? "isosceles" : "scalene");
    return 0;
}

/* For each number (0 or more) until -1: print "yes" if it reads the same from both sides, else "no". */
#include <stdio.h>

static int turned(int n)
{
    int r = 0;
    for (; n; n /= 10)
        r = 10 * r + n % 10;
    return r;
}

int main(void)
{
    int n;

    while (scanf("%d", &n) == 1 && n >= 0)
        puts(turned(n) == n ? "yes" : "no");
    return 0;
}

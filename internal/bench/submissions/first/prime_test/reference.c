/* Read a positive integer and print "prime" or "not prime". */
#include <stdio.h>

int main(void)
{
    int n, d = 2;

    scanf("%d", &n);
    while (d * d <= n && n % d)
        d++;
    puts(n > 1 && d * d > n ? "prime" : "not prime");
    return 0;
}

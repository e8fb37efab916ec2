/* Read A and B. Print the numbers from A to B that are the sum of their divisors (themselves left out), one a line, or "none". */
#include <stdio.h>

static int perfect(int n)
{
    int sum = 0;
    for (int i = 1; i <= n / 2; i++)
        if (n % i == 0)
            sum += i;
    return n > 1 && sum == n;
}

int main(void)
{
    int a, b, found = 0;

    scanf("%d%d", &a, &b);
    for (; a <= b; a++)
        if (perfect(a)) {
            printf("%d\n", a);
            found = 1;
        }
    if (!found)
        puts("none");
    return 0;
}

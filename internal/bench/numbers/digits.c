/* A number's digits backwards, and whether it reads the same both ways. */
#include <stdio.h>

int reversed(int n)
{
    int sign = 1;
    if (n < 0) {
        sign = -1;
        n = -n;
    }
    int r = 0;
    while (n > 0) {
        r = r * 10 + n % 10;
        n /= 10;
    }
    return sign * r;
}

int is_palindrome(int n)
{
    if (n < 0)
        return 0;
    return reversed(n) == n;
}

int main(void)
{
    printf("%d %d %d\n", reversed(120), reversed(-45), is_palindrome(1221));
    return 0;
}

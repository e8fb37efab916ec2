/* Read N. Print the numbers from 1 to N, one a line, but "Fizz" for multiples of 3, "Buzz" for multiples of 5, and "FizzBuzz" for multiples of both. */
#include <stdio.h>

int main(void)
{
    int n;

    scanf("%d", &n);
    for (int i = 1; i <= n; i++)
        if (i % 3 && i % 5)
            printf("%d\n", i);
        else
            printf("%s%s\n", i % 3 ? "" : "Fizz", i % 5 ? "" : "Buzz");
    return 0;
}

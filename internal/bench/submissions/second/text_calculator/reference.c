/* Lines "X add Y", "X sub Y", "X div Y" with integers, until the end of the input. Print the result; of div with two decimals, or "error" where Y is 0. Another word prints "what?". */
#include <stdio.h>
#include <string.h>

int main(void)
{
    int x, y;
    char op[16];

    while (scanf("%d %15s %d", &x, op, &y) == 3)
        if (!strcmp(op, "add"))
            printf("%d\n", x + y);
        else if (!strcmp(op, "sub"))
            printf("%d\n", x - y);
        else if (strcmp(op, "div"))
            puts("what?");
        else if (!y)
            puts("error");
        else
            printf("%.2f\n", 1.0 * x / y);
    return 0;
}

/* Read a number, an operator (+ - * /) and another number, as "3 + 4". Print the result as an integer; for a division by zero print "error". */
#include <stdio.h>

int main(void)
{
    int a, b;
    char op;

    scanf("%d %c %d", &a, &op, &b);
    if (op == '/' && b == 0)
        printf("error\n");
    else
        printf("%d\n", op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b);
    return 0;
}

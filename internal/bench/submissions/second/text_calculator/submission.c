#include <stdio.h>
#include <string.h>

int main()
{
    int a, b;
    char op[10];

    while (scanf("%d %s %d", &a, op, &b) == 3) {
        if (strcmp(op, "add") == 0)
            printf("%d\n", a + b);
        else if (strcmp(op, "sub"))
            printf("%d\n", a - b);
        else if (strcmp(op, "div") == 0) {
            if (b == 0)
                printf("error\n");
            else
                printf("%.2f\n", (float)(a / b));
        }
        else
            printf("what?\n");
    }
    return 0;
}

#include <stdio.h>

int main(void) {
    int x, y, res;
    char c;

    scanf("%d %c %d", &x, &c, &y);
    switch (c) {
    case '+':
        res = x + y;
        break;
    case '-':
        res = x - y;
        break;
    case '*':
        res = x * y;
        break;
    case '/':
        if (y == 0) {
            printf("error\n");
            return 0;
        }
        res = x / y;
        break;
    }
    printf("%d\n", res);
    return 0;
}

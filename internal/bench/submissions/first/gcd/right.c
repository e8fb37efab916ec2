#include <stdio.h>

int mdc(int a, int b)
{
    int r;
    while (b != 0) {
        r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int main()
{
    int x, y;
    scanf("%d %d", &x, &y);
    printf("%d\n", mdc(x, y));
    return 0;
}

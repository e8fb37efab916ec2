/* The greater of two numbers, with a mistake: gulo fix --assert examples/max.c */
#include <assert.h>
#include <stdio.h>

int max(int x, int y)
{
    int r = x;
    if (y > x)
        r = x;
    assert(r >= x && r >= y);
    return r;
}

int main(void)
{
    printf("%d\n", max(3, 2));
    return 0;
}

#include <stdio.h>
#include "sum.h"

int main(void)
{
    int a[] = {4, 5, 6};
    printf("%d %d %d\n", sum(a, 3), sum(a, 1), sum(a, 0));
    return 0;
}

#include "sum.h"

int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 1; i < n; i++)
        s += a[i];
    return s;
}

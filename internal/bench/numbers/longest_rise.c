/* The length of the longest rising stretch of an array; where it begins. */
#include <stdio.h>

static int start;

int longest_rise(const int *a, int n)
{
    int best = 0;
    int length = 0;
    start = -1;
    for (int i = 0; i < n; i++) {
        if (i > 0 && a[i] > a[i - 1])
            length++;
        else
            length = 1;
        if (length > best) {
            best = length;
            start = i - length + 1;
        }
    }
    return best;
}

int main(void)
{
    int a[] = {3, 1, 2, 4, 0};
    printf("%d", longest_rise(a, 5));
    printf(" at %d\n", start);
    return 0;
}

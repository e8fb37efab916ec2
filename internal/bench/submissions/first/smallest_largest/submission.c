#include <stdio.h>

int main()
{
    int n, min, max, primeiro = 1;

    while (scanf("%d", &n) != 0) {
        if (primeiro) {
            min = max = n;
            primeiro = 0;
        }
        else {
            if (n > max)
                max = n;
            else if (n < min)
                min = n;
        }
    }
    printf("min %d max %d\n", min, max);
    return 0;
}

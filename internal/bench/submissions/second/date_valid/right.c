#include <stdio.h>

int main()
{
    int dias[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int d, m, a;

    while (scanf("%d %d %d", &d, &m, &a) == 3) {
        int ok = 1;
        if (m < 1 || m > 12)
            ok = 0;
        else if (m == 2 && a % 4 == 0) {
            if (d < 1 || d > 29)
                ok = 0;
        }
        else if (d < 1 || d > dias[m - 1])
            ok = 0;
        if (ok)
            printf("valid\n");
        else
            printf("invalid\n");
    }
    return 0;
}

/* Read N (at most 10) and an N by N matrix of integers. Print "yes" if it is symmetric and "no" if not. */
#include <stdio.h>

int main(void)
{
    int n, a[10][10], differ = 0;

    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            scanf("%d", &a[i][j]);
            if (j < i && a[i][j] != a[j][i])
                differ++;
        }
    puts(differ ? "no" : "yes");
    return 0;
}

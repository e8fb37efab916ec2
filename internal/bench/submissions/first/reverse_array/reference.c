/* Read N (at most 50) and N integers, print them in reverse order on one line separated by single blanks. */
#include <stdio.h>

int main(void)
{
    int n, v[50];

    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%d", &v[i]);
    for (int i = n - 1; i >= 0; i--)
        printf(i > 0 ? "%d " : "%d", v[i]);
    printf("\n");
    return 0;
}

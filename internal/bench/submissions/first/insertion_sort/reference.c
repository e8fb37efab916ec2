/* Read integers until 0 and print those before it in descending order on one line, separated by blanks, with no blank at the end. At most 50 numbers; at least one. */
#include <stdio.h>

int main(void)
{
    int v[50], n = 0, x;

    while (scanf("%d", &x) == 1 && x != 0) {
        int i = n++;
        while (i > 0 && v[i - 1] < x) {
            v[i] = v[i - 1];
            i--;
        }
        v[i] = x;
    }
    for (int i = 0; i < n; i++)
        printf("%s%d", i ? " " : "", v[i]);
    printf("\n");
    return 0;
}

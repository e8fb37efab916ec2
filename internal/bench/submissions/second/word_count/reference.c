/* Count the words of the input (up to its end). A word is what stands between spaces, tabs and newlines. Print the count. */
#include <stdio.h>

int main(void)
{
    char w[128];
    int n = 0;

    while (scanf("%127s", w) == 1)
        n++;
    printf("%d\n", n);
    return 0;
}

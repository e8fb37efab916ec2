/* Read N, then N lines "name number"; then names until the end of input. For each print its number, or "not found". */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char name[20][30], number[20][20], who[30];
    int n, i;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%29s%19s", name[i], number[i]);
    while (scanf("%29s", who) == 1) {
        for (i = 0; i < n && strcmp(who, name[i]); i++)
            ;
        puts(i < n ? number[i] : "not found");
    }
    return 0;
}

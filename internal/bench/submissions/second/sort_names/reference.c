/* Read N (at most 20) and N names (single words). Print them in alphabetical order, one a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cmp(const void *a, const void *b) { return strcmp(a, b); }

int main(void)
{
    char names[20][30];
    int n;

    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%29s", names[i]);
    qsort(names, n, sizeof names[0], cmp);
    for (int i = 0; i < n; i++)
        printf("%s\n", names[i]);
    return 0;
}

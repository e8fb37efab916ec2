#include <stdio.h>
#include <string.h>

int main()
{
    char p1[50], p2[50];

    scanf("%s", p1);
    scanf("%s", p2);
    if (strcmp(p1, p2) == 0)
        printf("equal\n");
    else if (strcmp(p1, p2) < 0)
        printf("%s\n", p1);
    else
        printf("%s\n", p2);
    return 0;
}

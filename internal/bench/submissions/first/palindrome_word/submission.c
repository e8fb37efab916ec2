#include <stdio.h>
#include <string.h>

int main() {
    char str[41];
    int i, j, flag = 1;

    scanf("%s", str);
    j = strlen(str);
    for (i = 0; i < j; i++) {
        if (str[i] != str[j]) {
            flag = 0;
            break;
        }
        j--;
    }
    if (flag == 1)
        printf("yes\n");
    else
        printf("no\n");
    return 0;
}

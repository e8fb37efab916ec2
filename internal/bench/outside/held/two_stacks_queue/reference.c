#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char names[300][16];
int takes[300];

int main(void)
{
    int come = 0, gone = 0;
    char w[16];

    while (scanf("%15s", w) == 1) {
        if (w[0] == 'w') {
            int t = 0;
            printf("%d:", come - gone);
            for (int i = gone; i < come; i++) {
                printf(" %s(%d)", names[i], t);
                t += takes[i];
            }
            printf(" = %d\n", t);
        } else if (w[1] == 'o') {
            scanf("%15s%d", names[come], &takes[come]);
            come++;
        } else if (gone < come) {
            printf("%s, please\n", names[gone++]);
        } else {
            printf("nobody waits\n");
        }
    }
    int sum = 0;
    for (int i = 0; i < gone; i++)
        sum += takes[i];
    printf("%d minutes, %d left\n", sum, come - gone);
    return 0;
}

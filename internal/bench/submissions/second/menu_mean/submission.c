#include <stdio.h>

int main()
{
    int option;

    do {
        int mark;
        float total = 0;
        int count = 0;
        scanf("%d", &option);
        switch (option) {
        case 1:
            scanf("%d", &mark);
            total = total + mark;
            count = count + 1;
            break;
        case 2:
            if (count == 0)
                printf("no marks\n");
            else
                printf("mean: %.2f\n", total / count);
            break;
        case 0:
            break;
        default:
            printf("unknown option\n");
        }
    } while (option != 0);
    return 0;
}

#include <stdio.h>

int main()
{
    int day, temp, max, maxday;

    max = -1000;
    maxday = 1;
    for (day = 1; day <= 7; day++) {
        scanf("%d", &temp);
        if (temp > max) {
            max = temp;
            maxday = day;
        }
    }
    printf("Day %d: %d degrees\n", maxday, max);
    return 0;
}

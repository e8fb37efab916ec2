/* Seven temperatures (integers, may be negative). Print the day (1 to 7) of the highest one and the temperature; the first such day. */
#include <stdio.h>

int main(void)
{
    int t[7], best = 0;

    for (int i = 0; i < 7; i++)
        scanf("%d", &t[i]);
    for (int i = 1; i < 7; i++)
        if (t[i] > t[best])
            best = i;
    printf("Day %d: %d degrees\n", best + 1, t[best]);
    return 0;
}

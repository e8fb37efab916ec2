/* Read a time "H:M" and a number of minutes (0 or more). Print the time that many minutes later, as HH:MM. */
#include <stdio.h>

int main(void)
{
    int h, m, add;

    scanf("%d:%d%d", &h, &m, &add);
    m += 60 * h + add;
    printf("%02d:%02d\n", m / 60 % 24, m % 60);
    return 0;
}

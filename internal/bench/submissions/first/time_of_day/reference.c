/* Read a number of seconds and print it as h:mm:ss (minutes and seconds with two digits). */
#include <stdio.h>

int main(void)
{
    long s;

    scanf("%ld", &s);
    printf("%ld:%02ld:%02ld\n", s / 3600, s % 3600 / 60, s % 60);
    return 0;
}

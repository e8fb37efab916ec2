#include <stdio.h>
int main(void)
{
    printf("another program\n");
    return 0;
}

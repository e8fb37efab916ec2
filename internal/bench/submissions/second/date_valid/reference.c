/* Dates "D M Y", one a line, until the end of the input. Print "valid" or "invalid" for each. February has 29 days in every fourth year; there are no other exceptions. */
#include <stdio.h>

static int days(int m, int y)
{
    switch (m) {
    case 2: return y % 4 == 0 ? 29 : 28;
    case 4: case 6: case 9: case 11: return 30;
    default: return 31;
    }
}

int main(void)
{
    int d, m, y;

    while (scanf("%d%d%d", &d, &m, &y) == 3)
        puts(m >= 1 && m <= 12 && d >= 1 && d <= days(m, y) ? "valid" : "invalid");
    return 0;
}

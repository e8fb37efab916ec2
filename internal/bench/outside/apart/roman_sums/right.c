#include <stdio.h>
#include <string.h>

// Adds and subtracts roman numerals.  Each line: X + V, XII - IV, or one numeral.

static const struct { const char *text; int value; } parts[] = {
    {"M", 1000}, {"CM", 900}, {"D", 500}, {"CD", 400}, {"C", 100}, {"XC", 90}, {"L", 50},
    {"XL", 40}, {"X", 10}, {"IX", 9}, {"V", 5}, {"IV", 4}, {"I", 1},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static int digit(char c)
{
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    }
    return 0;
}

// The value of a numeral; 0 if it holds other characters.
static int from_roman(const char *s)
{
    int sum = 0;
    for (; *s; s++) {
        int d = digit(*s);
        if (d == 0)
            return 0;
        if (d < digit(s[1]))
            sum -= d;
        else
            sum += d;
    }
    return sum;
}

static char *to_roman(int n, char *buf)
{
    buf[0] = '\0';
    for (int i = 0; i < PARTS; i++)
        while (n >= parts[i].value) {
            strcat(buf, parts[i].text);
            n -= parts[i].value;
        }
    return buf;
}

int main(void)
{
    char line[100], left[40], right[40], op, buf[60];

    while (fgets(line, sizeof line, stdin)) {
        int n = sscanf(line, "%39s %c %39s", left, &op, right);
        if (n < 1)
            continue;
        int a = from_roman(left);
        int b = n == 3 ? from_roman(right) : 0;
        if (a == 0 || (n == 3 && b == 0)) {
            printf("not roman\n");
            continue;
        }
        int result = n == 3 && op == '-' ? a - b : a + b;
        if (result <= 0 || result >= 4000)
            printf("%d has no numeral\n", result);
        else
            printf("%s = %d\n", to_roman(result, buf), result);
    }
    return 0;
}

#include <stdio.h>
#include <string.h>

/* a roman numeral is read digit by digit: thousands, hundreds, tens, ones */

static const char *digits[4][10] = {
    {"", "M", "MM", "MMM", "", "", "", "", "", ""},
    {"", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"},
    {"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"},
    {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"},
};

int read_roman(const char *s)
{
    int n = 0;
    for (int p = 0; p < 4; p++) {
        int best = 0;
        for (int d = 1; d < 10; d++) {
            size_t len = strlen(digits[p][d]);
            if (len > strlen(digits[p][best]) && strncmp(s, digits[p][d], len) == 0)
                best = d;
        }
        s += strlen(digits[p][best]);
        n = n * 10 + best;
    }
    return *s == '\0' ? n : -1;
}

int main(void)
{
    char line[200];
    while (fgets(line, 200, stdin) != NULL) {
        char *word[3] = {NULL, NULL, NULL};
        int words = 0;
        for (char *w = strtok(line, " \t\n"); w && words < 3; w = strtok(NULL, " \t\n"))
            word[words++] = w;
        if (words == 0)
            continue;
        int total = read_roman(word[0]);
        int ok = total > 0;
        if (words == 3) {
            int second = read_roman(word[2]);
            ok = ok && second > 0;
            total += word[1][0] == '+' ? second : -second;
        }
        if (!ok)
            puts("not roman");
        else if (total < 1 || total > 3999)
            printf("%d has no numeral\n", total);
        else
            printf("%s%s%s%s = %d\n", digits[0][total / 1000], digits[1][total / 100 % 10], digits[2][total / 10 % 10], digits[3][total % 10], total);
    }
    return 0;
}

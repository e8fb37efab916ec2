/* Read a line with brackets ( ) [ ] and print "balanced" or "unbalanced". */
#include <stdio.h>

int main(void)
{
    char open[200];
    int n = 0, ok = 1, c;

    while ((c = getchar()) != EOF && c != '\n') {
        if (c == '(' || c == '[')
            open[n++] = c;
        else if (c == ')' || c == ']') {
            if (n == 0 || open[n - 1] != (c == ')' ? '(' : '['))
                ok = 0;
            else
                n--;
        }
    }
    puts(ok && n == 0 ? "balanced" : "unbalanced");
    return 0;
}

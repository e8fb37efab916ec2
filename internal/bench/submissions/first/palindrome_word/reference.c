/* Read a word (at most 40 letters) and print "yes" if it is a palindrome, else "no". */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char w[50];

    scanf("%49s", w);
    size_t n = strlen(w);
    int ok = 1;
    for (size_t i = 0; i < n / 2; i++)
        if (w[i] != w[n - 1 - i])
            ok = 0;
    puts(ok ? "yes" : "no");
    return 0;
}

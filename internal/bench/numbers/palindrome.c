/* Whether a text reads the same both ways; only letters count, in any case. */
#include <stdio.h>

static int fold(int c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 'a';
    if (c >= 'a' && c <= 'z')
        return c;
    return 0;
}

int palindrome(const char *s)
{
    int left = 0;
    int right = 0;
    while (s[right] != '\0')
        right++;
    right--;
    while (left < right) {
        if (fold(s[left]) == 0) {
            left++;
        } else if (fold(s[right]) == 0) {
            right--;
        } else {
            if (fold(s[left]) != fold(s[right]))
                return 0;
            left++;
            right--;
        }
    }
    return 1;
}

int main(void)
{
    printf("%d %d\n", palindrome("No x oN"), palindrome("abca"));
    return 0;
}

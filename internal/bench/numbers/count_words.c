/* Words in a text, and the length of the longest. */
#include <stdio.h>

static int longest;

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

int count_words(const char *text)
{
    int words = 0;
    int inside = 0;
    int length = 0;
    longest = 0;
    for (int i = 0; text[i] != '\0'; i++) {
        if (is_blank(text[i])) {
            inside = 0;
            length = 0;
        } else {
            if (!inside)
                words++;
            inside = 1;
            length++;
            if (length > longest)
                longest = length;
        }
    }
    return words;
}

int main(void)
{
    printf("%d", count_words("to be or  not"));
    printf(" %d\n", longest);
    return 0;
}

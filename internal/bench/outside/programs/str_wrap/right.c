/* fills lines of at most WIDTH columns with the words of standard input */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[128];
static int width;

static void flush_line(void)
{
    if (line[0] != '\0')
        printf("|%-*s|\n", width, line);
    line[0] = '\0';
}

static void chop(const char *word)
{
    int len = strlen(word);
    while (len > width) {
        printf("|%.*s-|\n", width - 1, word);
        word += width - 1;
        len -= width - 1;
    }
    strcpy(line, word);
}

static void add_word(const char *word)
{
    int have = strlen(line);
    int len = strlen(word);

    if (have == 0 && len <= width) {
        strcpy(line, word);
        return;
    }
    if (have > 0 && have + 1 + len <= width) {
        strcat(line, " ");
        strcat(line, word);
        return;
    }
    flush_line();
    chop(word);
}

int main(int argc, char **argv)
{
    char word[64];
    width = argc > 1 ? atoi(argv[1]) : 20;
    if (width < 4 || width > 100) {
        fprintf(stderr, "width must be 4 to 100\n");
        printf("bad width\n");
        return 1;
    }
    while (scanf("%63s", word) == 1)
        add_word(word);
    flush_line();
    return 0;
}

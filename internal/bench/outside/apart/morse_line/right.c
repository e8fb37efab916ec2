#include <stdio.h>
#include <string.h>
#include <ctype.h>

// Morse code both ways.  A line of dots, dashes, blanks and slashes is decoded (blanks end
// a letter, a slash a word), every other line is encoded.

#define LONGEST 7

static const struct {
    char c;
    const char *code;
} table[] = {
    {'a', ".-"}, {'b', "-..."}, {'c', "-.-."}, {'d', "-.."}, {'e', "."}, {'f', "..-."},
    {'g', "--."}, {'h', "...."}, {'i', ".."}, {'j', ".---"}, {'k', "-.-"}, {'l', ".-.."},
    {'m', "--"}, {'n', "-."}, {'o', "---"}, {'p', ".--."}, {'q', "--.-"}, {'r', ".-."},
    {'s', "..."}, {'t', "-"}, {'u', "..-"}, {'v', "...-"}, {'w', ".--"}, {'x', "-..-"},
    {'y', "-.--"}, {'z', "--.."}, {'0', "-----"}, {'1', ".----"}, {'2', "..---"},
    {'3', "...--"}, {'4', "....-"}, {'5', "....."}, {'6', "-...."}, {'7', "--..."},
    {'8', "---.."}, {'9', "----."}, {'?', "..--.."},
};
#define SIGNS ((int)(sizeof table / sizeof table[0]))

static int unknown;

static char letter(const char *code)
{
    for (int i = 0; i < SIGNS; i++)
        if (strcmp(table[i].code, code) == 0)
            return table[i].c;
    unknown++;
    return '#';
}

static void decode(const char *s)
{
    char code[LONGEST + 1] = "";
    while (*s) {
        int n = strspn(s, ".-");
        if (n > LONGEST) {
            putchar('#');
            unknown++;
        } else if (n > 0) {
            strncpy(code, s, n);
            code[n] = '\0';
            putchar(letter(code));
        }
        s += n;
        if (*s == '/')
            putchar(' ');
        if (*s)
            s++;
    }
    putchar('\n');
}

static void encode(const char *s)
{
    int first = 1;
    for (; *s; s++) {
        if (*s == ' ') {
            printf(" /");
            continue;
        }
        int c = tolower((unsigned char)*s), i;
        for (i = 0; i < SIGNS && table[i].c != c; i++)
            ;
        if (i == SIGNS) {
            unknown++;
            continue;
        }
        printf("%s%s", first ? "" : " ", table[i].code);
        first = 0;
    }
    putchar('\n');
}

int main(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, ".- /")] == '\0')
            decode(line);
        else
            encode(line);
    }
    if (unknown > 0)
        printf("%d unknown\n", unknown);
    return 0;
}

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* JSON with line breaks. Says how deep it is, how many values there are, or at which
   character it is wrong (brackets and strings only). */

#define DEEP 20

static char input[2000];
static const char *pos;
static int values, deepest;
static const char *error;

static void newline(int depth)
{
    putchar('\n');
    while (depth-- > 0)
        printf("  ");
}

static void blanks(void)
{
    while (isspace((unsigned char)*pos))
        pos++;
}

/* prints a string with its quotes */
static int string(void)
{
    putchar(*pos++);
    while (*pos != '"') {
        if (*pos == '\0') {
            error = "string is not closed";
            return 0;
        }
        if (*pos == '\\' && pos[1] != '\0')
            putchar(*pos++);
        putchar(*pos++);
    }
    putchar(*pos++);
    return 1;
}

static int value(int depth);

static int container(char close, int depth)
{
    if (depth > deepest)
        deepest = depth;
    if (depth > DEEP) {
        error = "too deep";
        return 0;
    }
    putchar(*pos++);
    blanks();
    if (*pos == close) {
        putchar(*pos++);
        return 1;
    }
    for (;;) {
        newline(depth);
        if (close == '}') {
            blanks();
            if (*pos != '"') {
                error = "no name";
                return 0;
            }
            if (!string())
                return 0;
            blanks();
            if (*pos != ':') {
                error = "no colon";
                return 0;
            }
            pos++;
            printf(": ");
        }
        if (!value(depth))
            return 0;
        blanks();
        if (*pos != ',')
            break;
        putchar(*pos++);
    }
    if (*pos != close) {
        error = "not closed";
        return 0;
    }
    newline(depth - 1);
    putchar(*pos++);
    return 1;
}

static int value(int depth)
{
    blanks();
    values++;
    if (*pos == '{')
        return container('}', depth + 1);
    if (*pos == '[')
        return container(']', depth + 1);
    if (*pos == '"')
        return string();
    if (*pos == '\0' || !(isalnum((unsigned char)*pos) || *pos == '-')) {
        error = "no value";
        return 0;
    }
    while (isalnum((unsigned char)*pos) || (*pos != '\0' && strchr("+-.", *pos)))
        putchar(*pos++);
    return 1;
}

int main(void)
{
    input[fread(input, 1, sizeof input - 1, stdin)] = '\0';
    pos = input;
    if (value(0)) {
        blanks();
        if (*pos != '\0')
            error = "something behind it";
    }
    putchar('\n');
    if (error != NULL) {
        printf("character %d: %s\n", (int)(pos - input) + 1, error);
        return 1;
    }
    printf("%d values, %d deep\n", values, deepest);
    return 0;
}

#include <stdio.h>

/*
 * Copies a program text without its comments.  Line comments go up to the end of the line,
 * block comments become a blank.  What looks like a comment inside quotes is none.
 */

enum state { CODE, SLASH, LINE, BLOCK, STAR, QUOTE, ESCAPE };

static int lines, comments;
static int last = '\n';

static void put(int c)
{
    putchar(c);
    if (c == '\n')
        lines++;
    last = c;
}

int main(void)
{
    enum state s = CODE;
    int c, delimiter = 0;

    while ((c = getchar()) != EOF) {
        switch (s) {
        case CODE:
            if (c == '/') {
                s = SLASH;
                break;
            }
            if (c == '"' || c == '\'') {
                delimiter = c;
                s = QUOTE;
            }
            put(c);
            break;
        case SLASH:
            if (c == '/') {
                s = LINE;
                comments++;
            } else if (c == '*') {
                s = BLOCK;
                comments++;
            } else {
                put('/');
                put(c);
                s = CODE;
            }
            break;
        case LINE:
            if (c == '\n') {
                put(c);
                s = CODE;
            }
            break;
        case BLOCK:
            if (c == '*')
                s = STAR;
            break;
        case STAR:
            if (c == '/') {
                put(' ');
                s = CODE;
            } else if (c != '*') {
                s = BLOCK;
            }
            break;
        case QUOTE:
            put(c);
            if (c == '\\')
                s = ESCAPE;
            else if (c == delimiter)
                s = CODE;
            break;
        case ESCAPE:
            put(c);
            s = QUOTE;
            break;
        }
    }
    if (s == SLASH)
        put('/');
    if (last != '\n')
        put('\n');
    printf("-- %d lines, %d comments%s\n", lines, comments, s == BLOCK || s == STAR ? ", one is open" : "");
    return s == BLOCK || s == STAR;
}

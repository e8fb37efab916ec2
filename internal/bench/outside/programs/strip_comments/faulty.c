/* removes the comments of C from standard input; texts stay as they are */
#include <stdio.h>

enum { CODE, SLASH, BLOCK, STAR, LINE, STRING, ESCAPE };

static int state = CODE;
static int comments;

static void put(int c)
{
    putchar(c);
}

static void feed(int c)
{
    switch (state) {
    case CODE:
        if (c == '/')
            state = SLASH;
        else {
            put(c);
            if (c == '"')
                state = STRING;
        }
        break;
    case SLASH:
        if (c == '*')
            state = BLOCK;
        else if (c == '/')
            state = LINE;
        else {
            put('/');
            put(c);
            state = c == '"' ? STRING : CODE;
        }
        if (state == BLOCK || state == LINE)
            comments++;
        break;
    case BLOCK:
        if (c == '*')
            state = STAR;
        break;
    case STAR:
        if (c == '/') {
            put(' ');
            state = CODE;
        } else
            state = BLOCK;
        break;
    case LINE:
        if (c == '\n') {
            put(c);
            state = CODE;
        }
        break;
    case STRING:
        put(c);
        if (c == '\\')
            state = ESCAPE;
        else if (c == '"')
            state = CODE;
        break;
    case ESCAPE:
        put(c);
        state = STRING;
        break;
    }
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF)
        feed(c);
    if (state == SLASH)
        put('/');
    printf("\n%d comments%s\n", comments, state == BLOCK || state == STAR ? ", the last one open" : "");
    return 0;
}

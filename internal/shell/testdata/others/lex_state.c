// step 3
#include <stdio.h>
#include <stdlib.h>
enum state { IDLE, WORD, QUOTE, DONE };
struct lexer { enum state state; int words, depth; };
static void step(struct lexer *x, int c)
{
    switch (x->state) {
    case IDLE:
        if (c == '"')
            x->state = QUOTE;
        else if (c != ' ') {
            x->state = WORD;
            x->words++;
        }
        break;
    case WORD:
        if (c == ' ')
            x->state = IDLE;
        break;
    case QUOTE:
        if (c == '"')
            x->state = WORD; //! x->state = IDLE;
        break;
    case DONE:
        break;
    }
}
static void run(const int *a, int n)
{
    struct lexer *x = calloc(1, sizeof *x);
    for (int i = 0; i < n; i++)
        step(x, a[i]);
    printf("%d %d\n", x->state, x->words);
}

int main(void)
{
#ifdef HELD
    static const int a[] = {97, 32, 34, 97, 34, 98, 32, 34, 32, 34, 99};
#else
    static const int a[] = {34, 97, 34};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

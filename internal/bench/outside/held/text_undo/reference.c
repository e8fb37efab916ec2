#include <stdio.h>
#include <string.h>

/* Keeps every state of the line that undo and redo can come to. */

#define STATES 200
#define WIDTH 1000

char state[STATES][WIDTH];
int now = 0, last = 0;

char *next_state(void)
{
    strcpy(state[now + 1], state[now]);
    now++;
    last = now;
    return state[now];
}

int main(void)
{
    char word[WIDTH], rest[WIDTH];
    while (scanf("%s", word) == 1) {
        switch (word[0]) {
        case 't':
            scanf("%s", rest);
            strcat(next_state(), rest);
            break;
        case 'd': {
            int n;
            scanf("%d", &n);
            char *s = next_state();
            for (int have = strlen(s); n > 0 && have > 0; n--)
                s[--have] = 0;
            break;
        }
        case 'u':
            if (now == 0)
                puts("nothing to undo");
            else
                now--;
            break;
        case 'r':
            if (now == last)
                puts("nothing to redo");
            else
                now++;
            break;
        case 's':
            printf("[%s]\n", state[now]);
        }
    }
    printf("%d characters\n", (int)strlen(state[now]));
    return 0;
}

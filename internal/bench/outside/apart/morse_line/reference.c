#include <stdio.h>
#include <string.h>
#include <ctype.h>

/* A tree in an array: from node n a dot goes to 2n, a dash to 2n+1; the root is 1. */

static char tree[128];
static const char *put[] = {
    "5....." , "4....-", "3...--", "2..---", "1.----", "6-....", "7--...", "8---..", "9----.", "0-----",
    "h....", "v...-", "f..-.", "l.-..", "p.--.", "j.---", "b-...", "x-..-", "c-.-.", "y-.--", "z--..", "q--.-",
    "s...", "u..-", "r.-.", "w.--", "d-..", "k-.-", "g--.", "o---", "i..", "a.-", "n-.", "m--", "e.", "t-", "?..--..",
};

int main(void)
{
    char s[512];
    int bad = 0, n = sizeof put / sizeof *put;
    for (int i = 0; i < n; i++) {
        int at = 1;
        for (const char *p = put[i] + 1; *p; p++)
            at = 2 * at + (*p == '-');
        tree[at] = put[i][0];
    }
    while (fgets(s, sizeof s, stdin)) {
        int len = strlen(s), code = 1;
        if (len && s[len - 1] == '\n')
            s[--len] = 0;
        for (int i = 0; s[i]; i++)
            if (!strchr(".-/ ", s[i]))
                code = 0;
        if (code) {
            int at = 1;
            for (int i = 0; i <= len; i++) {
                if (s[i] == '.' || s[i] == '-') {
                    at = at < 64 ? 2 * at + (s[i] == '-') : 127;
                    continue;
                }
                if (at > 1) {
                    printf("%c", tree[at] ? tree[at] : '#');
                    bad += tree[at] == 0;
                    at = 1;
                }
                if (s[i] == '/')
                    printf(" ");
            }
        } else {
            const char *gap = "";
            for (int i = 0; i < len; i++) {
                int k = 0;
                if (s[i] == ' ') {
                    printf(" /");
                    continue;
                }
                while (k < n && put[k][0] != tolower((unsigned char)s[i]))
                    k++;
                if (k == n) {
                    bad++;
                } else {
                    printf("%s%s", gap, put[k] + 1);
                    gap = " ";
                }
            }
        }
        printf("\n");
    }
    if (bad)
        printf("%d unknown\n", bad);
    return 0;
}

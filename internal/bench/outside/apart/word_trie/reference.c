#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the words in a sorted list */

const char *list[200];
int n;

int main(int argc, char *argv[])
{
    for (int a = 1; a < argc; a++) {
        const char *w = argv[a] + 1;
        int len = strlen(w), i = 0;
        if (argv[a][0] == '?') {
            int count = 0, shown = 0;
            const char *last = "";
            for (i = 0; i < n; i++)
                count += strncmp(list[i], w, len) == 0;
            if (count == 0 && len > 0) {
                printf("%s: none\n", w);
                continue;
            }
            printf("%s: %d", w, count);
            for (i = 0; i < n && shown < 3; i++)
                if (strncmp(list[i], w, len) == 0 && strcmp(list[i], last) != 0) {
                    printf(" %s", list[i]);
                    last = list[i];
                    shown++;
                }
            printf("\n");
            continue;
        }
        while (i < n && strcmp(list[i], w) < 0)
            i++;
        if (argv[a][0] == '+') {
            for (int k = n++; k > i; k--)
                list[k] = list[k - 1];
            list[i] = w;
        } else if (i < n && strcmp(list[i], w) == 0) {
            for (n--; i < n; i++)
                list[i] = list[i + 1];
        } else {
            printf("%s is not there\n", w);
        }
    }
    printf("%d words\n", n);
    return 0;
}

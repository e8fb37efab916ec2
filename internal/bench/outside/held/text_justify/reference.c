#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

/* the whole text is read first; start[] and len[] are its words, len 0 a paragraph's end */

static char text[20000];
static int start[4000], len[4000], n;

static int split(int size)
{
    int newlines = 0, paragraphs = 0;
    for (int i = 0; i < size;) {
        if (isspace((unsigned char)text[i])) {
            if (text[i] == '\n' && ++newlines == 2 && n > 0 && len[n - 1] > 0)
                len[n++] = 0;
            i++;
            continue;
        }
        if (n == 0 || len[n - 1] == 0)
            paragraphs++;
        newlines = 0;
        start[n] = i;
        while (i < size && !isspace((unsigned char)text[i]))
            i++;
        len[n] = i - start[n];
        n++;
    }
    return paragraphs;
}

static void spaces(int k)
{
    while (k-- > 0)
        putchar(' ');
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 30, lines = 0;
    int paragraphs = split(fread(text, 1, sizeof text, stdin));
    for (int i = 0; i < n;) {
        if (len[i] == 0) {
            putchar('\n');
            i++;
            continue;
        }
        int j = i + 1, used = len[i];
        while (j < n && len[j] > 0 && used + 1 + len[j] <= width) {
            used += 1 + len[j];
            j++;
        }
        int last = j == n || len[j] == 0;
        int spare = last ? 0 : width - used;
        for (int k = i; k < j; k++) {
            printf("%.*s", len[k], text + start[k]);
            int gaps = j - 1 - k;
            if (gaps > 0) {
                int more = (spare + gaps - 1) / gaps;
                spaces(1 + more);
                spare -= more;
            }
        }
        putchar('\n');
        lines++;
        i = j;
    }
    printf("(%d lines, %d paragraphs)\n", lines, paragraphs);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* text_justify WIDTH: sets the words of standard input in lines of full width, the gaps
   as even as can be (wider ones to the left); the last line of a paragraph is left as it
   is, and so is a line of one word.  An empty line ends a paragraph. */

#define MAXWORDS 100

char *words[MAXWORDS];
int nwords;         /* of the line in hand */
int letters;        /* in them */
int width;
int lines;

void keep(const char *w)
{
    words[nwords] = malloc(strlen(w) + 1);
    strcpy(words[nwords], w);
    nwords++;
    letters += strlen(w);
}

void flush(int full)
{
    int i, j, gaps = nwords - 1, blanks, extra;

    if (nwords == 0)
        return;
    blanks = extra = 0;
    if (gaps > 0) {
        blanks = (width - letters) / gaps;
        extra = (width - letters) % gaps;
    }
    if (!full) {
        blanks = 1;
        extra = 0;
    }
    for (i = 0; i < nwords; i++) {
        if (i > 0)
            for (j = 0; j < blanks + (i <= extra ? 1 : 0); j++)
                putchar(' ');
        fputs(words[i], stdout);
        free(words[i]);
    }
    putchar('\n');
    lines++;
    nwords = 0;
    letters = 0;
}

void take(const char *w)
{
    if (letters + nwords + (int)strlen(w) > width)
        flush(1);
    keep(w);
}

int main(int argc, char *argv[])
{
    char line[512], *w;
    int paragraphs = 0, inside = 0;

    width = argc > 1 ? atoi(argv[1]) : 30;
    while (fgets(line, sizeof line, stdin) != NULL) {
        w = strtok(line, " \n");
        if (w == NULL) {
            flush(0);
            if (inside)
                putchar('\n');
            inside = 0;
            continue;
        }
        if (!inside) {
            paragraphs++;
            inside = 1;
        }
        for (; w != NULL; w = strtok(NULL, " \n"))
            take(w);
    }
    flush(0);
    printf("(%d lines, %d paragraphs)\n", lines, paragraphs);
    return 0;
}

/* Read a line. Print its longest word (the first of them) and its length, as "word N". Words are separated by spaces; the line has at least one word. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[256], best[256] = "", *w;

    if (!fgets(line, sizeof line, stdin))
        return 0;
    for (w = strtok(line, " \n"); w; w = strtok(NULL, " \n"))
        if (strlen(w) > strlen(best))
            strcpy(best, w);
    printf("%s %d\n", best, (int)strlen(best));
    return 0;
}

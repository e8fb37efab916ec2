#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* reads everything, goes back from the end to find where to begin */

char text[500][256];
int keep[500];

int main(int argc, char *argv[])
{
    const char *order = "IWE";
    int n = 0, want = atoi(argv[1]), shown = 0, from;
    const char *level = argc == 3 ? strchr(order, argv[2][0]) : order;

    while (n < 500 && fgets(text[n], 256, stdin)) {
        char *end = strchr(text[n], '\n');
        if (end)
            *end = 0;
        keep[n] = strchr(order, text[n][0]) >= level;
        n++;
    }
    from = n;
    while (from > 0 && shown < want) {
        from--;
        shown += keep[from];
    }
    for (int i = from; i < n; i++)
        if (keep[i])
            puts(text[i]);
    printf("-- %d of %d lines\n", shown, n);
    return 0;
}

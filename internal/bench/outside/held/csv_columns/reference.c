#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char table[100][8][40];
static int width[100], height;

int main(void)
{
    int c, row = 0, column = 0, n = 0, blank = 1;
    enum { OUT, IN, QUOTE } state = OUT;

    while ((c = getchar()) != EOF) {
        if (state == IN) {
            if (c == '"')
                state = QUOTE;
            else
                table[row][column][n++] = c;
            continue;
        }
        if (state == QUOTE && c == '"') {
            table[row][column][n++] = '"';
            state = IN;
            continue;
        }
        state = OUT;
        switch (c) {
        case '"':
            state = IN;
            blank = 0;
            break;
        case ',':
            column++;
            n = 0;
            blank = 0;
            break;
        case '\n':
            if (!blank)
                width[row++] = column + 1;
            column = n = 0;
            blank = 1;
            break;
        default:
            table[row][column][n++] = c;
            blank = 0;
        }
    }
    if (!blank)
        width[row++] = column + 1;
    height = row;
    printf("%d rows\n", height > 0 ? height - 1 : 0);
    for (int k = 0; k < width[0]; k++) {
        char *last = NULL;
        int changes = 0, plain = 1;
        long total = 0;
        for (int r = 1; r < height; r++) {
            char *end, *s = table[r][k];
            if (k >= width[r])
                continue;
            total += strtol(s, &end, 10);
            if (*end || end == s)
                plain = 0;
            if (!last || strcmp(last, s))
                changes++;
            last = s;
        }
        printf("%s: ", table[0][k]);
        if (!last)
            printf("nothing\n");
        else if (plain)
            printf("%ld\n", total);
        else
            printf("%d runs, last %s\n", changes, last);
    }
    return 0;
}

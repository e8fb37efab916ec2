/* Read integers until the end of input into a list, reverse it and print one number per line. */
#include <stdio.h>
#include <stdlib.h>

typedef struct cell { int x; struct cell *link; } cell;

int main(void)
{
    cell *top = NULL;
    int x;

    while (scanf("%d", &x) == 1) {
        cell *c = malloc(sizeof *c);
        c->x = x;
        c->link = top;
        top = c;
    }
    while (top) {
        cell *c = top;
        printf("%d\n", c->x);
        top = c->link;
        free(c);
    }
    return 0;
}

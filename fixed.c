#include <stdio.h>
#include <stdlib.h>

struct stop {
    int number;
    struct stop *next;
};

struct stop *line;

void add(int number)
{
    struct stop *s = malloc(sizeof *s);
    s->number = number;
    s->next = line;
    line = s;
}

void drop(int number)
{
    struct stop *s = line, *before = NULL;
    while (s != NULL && s->number != number) {
        before = s;
        s = s->next;
    }
    if (s == NULL)
        return;
    if (before == NULL)
        line = s->next;
    else
        before->next = s->next;
    free(s);
}

int main(void)
{
    add(9);
    add(7);
    add(4);
    drop(7);
    drop(4);
    for (struct stop *s = line; s != NULL; s = s->next)
        printf("%d ", s->number);
    printf("\n");
    return 0;
}

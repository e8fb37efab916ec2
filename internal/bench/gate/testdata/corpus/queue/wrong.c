#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *first, *last;

static void put(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = NULL;
    if (first == NULL)
        first = n;
    else
        last->next = n;
    last = n;
}

static int take(void)
{
    struct node *n = first;
    int value = n->value;
    free(n);
    first = n->next;
    return value;
}

int main(void)
{
    int c;
    while (scanf("%d", &c) == 1) {
        if (c > 0)
            put(c);
        else if (first != NULL)
            printf("%d\n", take());
        else
            printf("empty\n");
    }
    while (first != NULL)
        take();
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list != NULL) {
        struct node *rest = list->next;
        list->next = done;
        done = rest;
        list = rest;
    }
    return done;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 3; i > 0; i--) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = list;
        list = n;
    }
    list = reverse(list);
    for (struct node *p = list; p != NULL; p = p->next)
        printf("%d ", p->value);
    printf("\n");
    return 0;
}

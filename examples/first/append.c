#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *append(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n), *last = list;
    n->value = value;
    n->next = NULL;
    if (list == NULL)
        return n;
    while (last->next != NULL)
        last = last->next;
    list->next = n;
    return list;
}

int main(void)
{
    struct node *list = NULL;
    list = append(list, 1);
    list = append(list, 2);
    list = append(list, 3);
    for (struct node *p = list; p != NULL; p = p->next)
        printf("%d ", p->value);
    printf("\n");
    return 0;
}

/* Read integers until -1, each put at the end of a linked list; print the list as "a -> b -> c -> NULL". */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL, **end = &head;
    int x;

    while (scanf("%d", &x) == 1 && x != -1) {
        *end = malloc(sizeof **end);
        (*end)->value = x;
        (*end)->next = NULL;
        end = &(*end)->next;
    }
    for (struct node *p = head; p; p = p->next)
        printf("%d -> ", p->value);
    printf("NULL\n");
    while (head) {
        struct node *p = head->next;
        free(head);
        head = p;
    }
    return 0;
}

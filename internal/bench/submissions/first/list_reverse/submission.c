#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int data;
    struct node *next;
} node;

node *append(node *head, int data)
{
    node *n = malloc(sizeof(node));
    n->data = data;
    n->next = NULL;
    if (!head)
        return n;
    node *cur = head;
    while (cur->next)
        cur = cur->next;
    cur->next = n;
    return head;
}

node *reverse(node *head)
{
    node *prev = NULL;
    node *cur = head;
    while (cur->next != NULL) {
        node *next = cur->next;
        cur->next = prev;
        prev = cur;
        cur = next;
    }
    return cur;
}

int main(void)
{
    node *list = NULL;
    int x;

    while (scanf("%d", &x) == 1)
        list = append(list, x);
    list = reverse(list);
    while (list != NULL) {
        printf("%d\n", list->data);
        list = list->next;
    }
    return 0;
}

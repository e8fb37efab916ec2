#include <stdio.h>
#include <stdlib.h>

struct elem {
    int num;
    struct elem *next;
};

struct elem *remover(struct elem *head, int num)
{
    struct elem *cur = head, *prev = NULL;

    while (cur != NULL && cur->num != num) {
        prev = cur;
        cur = cur->next;
    }
    if (cur == NULL)
        return head;
    prev->next = cur->next;
    free(cur);
    return head;
}

int main()
{
    struct elem *head = NULL, *last = NULL, *e;
    int n, i, x;

    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        e = malloc(sizeof(struct elem));
        scanf("%d", &e->num);
        e->next = NULL;
        if (head == NULL)
            head = e;
        else
            last->next = e;
        last = e;
    }
    scanf("%d", &x);
    head = remover(head, x);
    if (head == NULL)
        printf("empty");
    for (e = head; e != NULL; e = e->next) {
        printf("%d", e->num);
        if (e->next != NULL)
            printf(" ");
    }
    printf("\n");
    return 0;
}

// dedup 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int val; struct node *next; };
static struct node *cons(int v, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->val = v;
    n->next = next;
    return n;
}
static void dedup(struct node *head)
{
    struct node *cur = head;
    while (cur != NULL && cur->next != NULL) {
        if (cur->val == cur->next->val) {
            struct node *dup = cur->next;
            cur->next = dup->next;
            free(dup);
            cur = cur->next; //!
        } else {
            cur = cur->next;
        }
    }
}
static void run(const int *a, int n)
{
    struct node *head = NULL;
    for (int i = n - 1; i >= 0; i--)
        head = cons(a[i], head);
    dedup(head);
    for (; head; head = head->next)
        printf("%d ", head->val);
    printf("\n");
}
int main(void)
{
#ifdef HELD
    static const int a[] = {1, 1, 2, 3, 3, 3, 3, 4, 5, 5};
#else
    static const int a[] = {1, 1, 1, 2, 3};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

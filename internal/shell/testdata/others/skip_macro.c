// skip_insert 3
#include <stdio.h>
#include <stdlib.h>
#define LEVELS 3
struct sk { int key; struct sk *next[LEVELS]; };
#define for_down(i) for (int i = LEVELS - 1; i >= 0; i--)
static void skip_insert(struct sk *head, int key, int height)
{
    struct sk *n = calloc(1, sizeof *n), *at = head;
    n->key = key;
    for_down(i) {
        while (at->next[i] != NULL && at->next[i]->key < key)
            at = at->next[i];
        if (i < height) {
            n->next[i] = at->next[0]; //! n->next[i] = at->next[i];
            at->next[i] = n;
        }
    }
}
static void run(const int *a, int n)
{
    struct sk head = {0};
    for (int i = 0; i < n; i++)
        skip_insert(&head, a[i], 1 + a[i] % LEVELS);
    for_down(i) {
        for (struct sk *p = head.next[i]; p; p = p->next[i])
            printf("%d ", p->key);
        printf("| ");
    }
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {8, 5, 2, 4, 11, 7};
#else
    static const int a[] = {4, 8, 2};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

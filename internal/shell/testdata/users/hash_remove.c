// drop 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { int key; struct entry *next; };
static struct entry *table[4];
static void drop(int key)
{
    struct entry **p = &table[key % 4];
    while (*p != NULL && (*p)->key != key)
        p = &(*p)->next;
    if (*p != NULL)
        *p = NULL; //! *p = (*p)->next;
}
static void run(const int *a, int n)
{
    memset(table, 0, sizeof table);
    for (int i = 1; i < n; i++) {
        struct entry *e = malloc(sizeof *e);
        e->key = a[i];
        e->next = table[a[i] % 4];
        table[a[i] % 4] = e;
    }
    drop(a[0]);
    for (int i = 0; i < 4; i++) {
        for (struct entry *e = table[i]; e; e = e->next)
            printf("%d ", e->key);
        printf("| ");
    }
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {3, 7, 3, 11, 3};
#else
    static const int a[] = {5, 1, 5, 9};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

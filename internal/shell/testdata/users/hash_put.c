// put 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { int key, value; struct entry *next; };
static struct entry *table[4];
static void put(int key, int value)
{
    struct entry *e = table[key % 4];
    while (e != NULL && e->key != key)
        e = e->next;
    if (e == NULL) {
        e = malloc(sizeof *e);
        e->key = key;
        e->next = NULL; //! e->next = table[key % 4];
        table[key % 4] = e;
    }
    e->value = value;
}
static void run(const int *a, int n)
{
    memset(table, 0, sizeof table);
    for (int i = 0; i < n; i++)
        put(a[i], i);
    for (int i = 0; i < 4; i++) {
        for (struct entry *e = table[i]; e; e = e->next)
            printf("%d=%d ", e->key, e->value);
        printf("| ");
    }
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {7, 1, 5, 9, 7, 3};
#else
    static const int a[] = {1, 5};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

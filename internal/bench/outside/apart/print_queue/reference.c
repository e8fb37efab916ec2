#include <stdio.h>
#include <string.h>
#include <stdlib.h>

/* a list in the order of printing */

typedef struct node { char *name; int klass, pages; struct node *next; } node;

node *first;

void enqueue(const char *name, int klass, int pages)
{
    node *n = malloc(sizeof(node)), **where = &first;
    n->name = strdup(name);
    n->klass = klass;
    n->pages = pages;
    while (*where && ((*where)->klass < klass || ((*where)->klass == klass && (*where)->pages <= pages)))
        where = &(*where)->next;
    n->next = *where;
    *where = n;
}

void drop_first(void)
{
    node *n = first;
    first = n->next;
    free(n->name);
    free(n);
}

int main(void)
{
    char name[100];
    int total = 0, waiting = 0;
    while (scanf("%99s", name) == 1) {
        if (strcmp(name, "print") != 0) {
            int k, p;
            scanf("%d %d", &k, &p);
            enqueue(name, k, p);
            waiting++;
        } else if (!first) {
            printf("idle\n");
        } else {
            printf("%s (class %d, %d pages)\n", first->name, first->klass, first->pages);
            total += first->pages;
            drop_first();
            waiting--;
        }
    }
    printf("%d sheets, %d jobs left\n", total, waiting);
    while (first) {
        printf("left %s\n", first->name);
        drop_first();
    }
    return 0;
}

#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

/* The length of a list.
   pre:  acyclic(l)
   post: result == length(l) */
int list_length(struct node *l)
{
    int n = 0;
    while (l != NULL) {
        n = n + 1;
        l = l->next;
    }
    return n;
}

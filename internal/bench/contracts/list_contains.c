#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

/* Whether a number is in a list.
   pre:  acyclic(l)
   post: result == contains(l, x) */
int list_contains(struct node *l, int x)
{
    int found = 0;
    while (l != NULL) {
        if (l->value == x)
            found = 1;
        l = l->next;
    }
    return found;
}

/* Over a list: the sum of what is above a limit, and how many there are. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int above;

int sum_above(struct node *head, int limit)
{
    int sum = 0;
    above = 0;
    while (head != NULL) {
        if (head->value > limit) {
            sum += head->value;
            above++;
        }
        head = head->next;
    }
    return sum;
}

static struct node *cons(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

int main(void)
{
    struct node *l = cons(3, cons(9, cons(5, NULL)));
    printf("%d", sum_above(l, 4));
    printf(" %d\n", above);
    return 0;
}

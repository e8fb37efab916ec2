/* Puts the nodes of a second list between those of the first; what does not fit stays. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *first, *second;

struct node *push(struct node *head, int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = head;
    return n;
}

void print(const struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

void merge_alternate(void)
{
    struct node *p = first, *q = second, *p_next, *q_next;
    while (p != NULL && q != NULL) {
        p_next = p->next;
        q_next = q->next;
        q->next = p_next;
        p->next = q;
        p = p_next;
        q = q_next;
    }
    second = q;
}

/* The lists are separated by an argument "/". */
int main(int argc, char **argv)
{
    int i = argc - 1;
    for (; i > 0 && argv[i][0] != '/'; i--)
        second = push(second, atoi(argv[i]));
    for (i--; i > 0; i--)
        first = push(first, atoi(argv[i]));
    merge_alternate();
    print(first);
    print(second);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

/* children stand in a circle; every k-th leaves */

typedef struct Child Child;
struct Child
{
    int number;
    Child *next;
};

static Child *circle(int n)
{
    Child *head = NULL, *tail = NULL;
    for (int i = 1; i <= n; i++)
    {
        Child *c = malloc(sizeof(Child));
        c->number = i;
        c->next = NULL;
        if (head == NULL)
            head = c;
        else
            tail->next = c;
        tail = c;
    }
    tail->next = head;
    return tail;
}

/* takes the tail; returns the one who stays */
static int play(Child *last, int k)
{
    int survivor;
    while (last->next != last)
    {
        Child *out;
        for (int i = 0; i < k; i++)
            last = last->next;
        out = last->next;
        printf("%d ", out->number);
        last->next = out->next;
        free(out);
    }
    survivor = last->number;
    free(last);
    return survivor;
}

int main(int argc, char **argv)
{
    int n, k;
    if (argc < 3)
    {
        printf("usage: josephus N K\n");
        return 2;
    }
    n = atoi(argv[1]);
    k = atoi(argv[2]);
    if (n < 1 || k < 1 || n > 100 || k > 1000)
    {
        printf("out of range\n");
        return 2;
    }
    printf("stays: %d\n", play(circle(n), k));
    return 0;
}

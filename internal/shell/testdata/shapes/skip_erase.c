// erase 1
#include <stdio.h>
#include <stdlib.h>
#define TOP 3
struct node { int key, height; struct node *next[TOP]; };
static struct node *make(int key, int height)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    n->height = height;
    return n;
}
static void insert(struct node *head, int key, int height)
{
    struct node *n = make(key, height), *p = head;
    for (int i = TOP - 1; i >= 0; i--) {
        while (p->next[i] && p->next[i]->key < key)
            p = p->next[i];
        if (i < height) {
            n->next[i] = p->next[i];
            p->next[i] = n;
        }
    }
}
static int erase(struct node *head, int key)
{
    struct node *prev[TOP], *p = head;
    for (int i = TOP - 1; i >= 0; i--) {
        while (p->next[i] && p->next[i]->key < key)
            p = p->next[i];
        prev[i] = p;
    }
    p = p->next[0];
    if (!p || p->key != key)
        return 0;
    for (int i = 0; i < p->height; i++)
        prev[i]->next[i] = p->next[0]; //! prev[i]->next[i] = p->next[i];
    free(p);
    return 1;
}
int main(void)
{
    struct node *head = make(-1, TOP);
    insert(head, 10, 1);
    insert(head, 20, 2);
    insert(head, 30, 1);
    insert(head, 40, 3);
#ifdef HELD
    insert(head, 25, 3);
    insert(head, 35, 1);
    erase(head, 25);
    erase(head, 10);
    erase(head, 99);
#endif
    erase(head, 20);
    for (int i = TOP - 1; i >= 0; i--) {
        for (struct node *p = head->next[i]; p; p = p->next[i])
            printf("%d ", p->key);
        printf("|");
    }
    printf("\n");
    return 0;
}

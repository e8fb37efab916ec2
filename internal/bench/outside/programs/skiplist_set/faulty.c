#include <stdio.h>
#include <stdlib.h>

#define LEVELS 4

struct node {
    int key;
    struct node *next[LEVELS];
};

static struct node head;
static unsigned seed = 7;

/* how many levels a new node takes part in */
static int toss(void)
{
    int h = 1;
    while (h < LEVELS) {
        seed = seed * 1103515245u + 12345u;
        if (seed >> 31)
            break;
        h++;
    }
    return h;
}

static void search(int key, struct node *before[])
{
    struct node *n = &head;
    for (int i = LEVELS - 1; i >= 0; i--) {
        while (n->next[i] && n->next[i]->key < key)
            n = n->next[i];
        before[i] = n;
    }
}

static int insert(int key)
{
    struct node *before[LEVELS];
    search(key, before);
    struct node *at = before[0]->next[0];
    if (at && at->key == key)
        return 0;
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    int h = toss();
    for (int i = 0; i < h; i++) {
        n->next[i] = before[i]->next[i];
        before[i]->next[i] = n;
    }
    return 1;
}

static int erase(int key)
{
    struct node *before[LEVELS];
    search(key, before);
    struct node *n = before[0]->next[0];
    if (!n || n->key != key)
        return 0;
    for (int i = 0; i < LEVELS && n->next[i] != NULL; i++)
        before[i]->next[i] = n->next[i];
    free(n);
    return 1;
}

static void show(void)
{
    for (int i = LEVELS - 1; i >= 0; i--) {
        printf("%d:", i);
        for (struct node *n = head.next[i]; n; n = n->next[i])
            printf(" %d", n->key);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int k = atoi(argv[i] + 1);
        switch (argv[i][0]) {
        case '+': printf("insert %d: %s\n", k, insert(k) ? "ok" : "there already"); break;
        case '-': printf("erase %d: %s\n", k, erase(k) ? "ok" : "not there"); break;
        default: show();
        }
    }
    show();
    while (head.next[0]) {
        struct node *n = head.next[0];
        head.next[0] = n->next[0];
        free(n);
    }
    return 0;
}

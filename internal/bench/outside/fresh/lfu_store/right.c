#include <stdio.h>
#include <stdlib.h>

/* A cache that gives up what was used least often; among those what was used longest ago. */

struct node {
    int key, value, freq;
    struct node *prev, *next;
};

struct list {
    struct node *head, *tail;
};

#define MAX_FREQ 64
#define MAX_KEY 100

static struct list by_freq[MAX_FREQ];
static struct node *index_of[MAX_KEY];
static int min_freq, size, capacity;

static void push_front(struct list *l, struct node *n)
{
    n->prev = NULL;
    n->next = l->head;
    if (l->head)
        l->head->prev = n;
    else
        l->tail = n;
    l->head = n;
}

static void unlink_node(struct list *l, struct node *n)
{
    if (n->prev)
        n->prev->next = n->next;
    else
        l->head = n->next;
    if (n->next)
        n->next->prev = n->prev;
    else
        l->tail = n->prev;
}

static void touch(struct node *n)
{
    unlink_node(&by_freq[n->freq], n);
    if (by_freq[n->freq].head == NULL && min_freq == n->freq)
        min_freq++;
    if (n->freq < MAX_FREQ - 1)
        n->freq++;
    push_front(&by_freq[n->freq], n);
}

static int get(int key)
{
    struct node *n = index_of[key];

    if (n == NULL)
        return -1;
    touch(n);
    return n->value;
}

static void put(int key, int value)
{
    struct node *n = index_of[key];

    if (n) {
        n->value = value;
        touch(n);
        return;
    }
    if (size == capacity) {
        struct node *old = by_freq[min_freq].tail;
        unlink_node(&by_freq[min_freq], old);
        index_of[old->key] = NULL;
        printf("out %d\n", old->key);
        free(old);
        size--;
    }
    n = malloc(sizeof *n);
    n->key = key;
    n->value = value;
    n->freq = 1;
    index_of[key] = n;
    push_front(&by_freq[1], n);
    min_freq = 1;
    size++;
}

/* cap then KEY to read, KEY=VALUE to write */
int main(int argc, char **argv)
{
    int i, key, value;

    if (argc < 2)
        return 2;
    capacity = atoi(argv[1]);
    if (capacity < 1)
        return 2;
    for (i = 2; i < argc; i++) {
        int n = sscanf(argv[i], "%d=%d", &key, &value);
        if (n < 1 || key < 0 || key >= MAX_KEY)
            continue;
        if (n == 1)
            printf("%d\n", get(key));
        else
            put(key, value);
    }
    for (i = 0; i < MAX_KEY; i++)
        free(index_of[i]);
    return 0;
}

/* A search tree of words' counts and a list sorted by merging: what students write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree {
    int key, count;
    struct tree *left, *right;
};
struct list {
    int key;
    struct list *next;
};

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = key;
        t->count = 1;
        t->left = t->right = NULL;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    } else {
        t->count++;
    }
    return t;
}

static struct list *flatten(const struct tree *t, struct list *rest)
{
    if (t == NULL)
        return rest;
    struct list *l = malloc(sizeof *l);
    l->key = t->key * 7919 % 100003;
    l->next = flatten(t->right, rest);
    return flatten(t->left, l);
}

static void drop_tree(struct tree *t)
{
    if (t == NULL)
        return;
    drop_tree(t->left);
    drop_tree(t->right);
    free(t);
}

static struct list *merge(struct list *a, struct list *b)
{
    struct list head, *last = &head;
    while (a != NULL && b != NULL) {
        struct list **least = a->key <= b->key ? &a : &b;
        last->next = *least;
        last = last->next;
        *least = last->next;
    }
    last->next = a != NULL ? a : b;
    return head.next;
}

static struct list *sort(struct list *l)
{
    if (l == NULL || l->next == NULL)
        return l;
    struct list *slow = l, *fast = l->next;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct list *half = slow->next;
    slow->next = NULL;
    return merge(sort(l), sort(half));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    unsigned seed = 12345;
    long sum = 0;
    for (int round = 0; round < 5; round++) {
        struct tree *t = NULL;
        for (int i = 0; i < n; i++) {
            seed = seed * 1103515245 + 12345;
            t = insert(t, (int)(seed >> 8) % (2 * n));
        }
        struct list *l = sort(flatten(t, NULL));
        for (int i = 0; l != NULL; i++) {
            struct list *next = l->next;
            sum += (long)l->key * (i % 3);
            free(l);
            l = next;
        }
        drop_tree(t);
    }
    printf("%ld\n", sum);
    return 0;
}

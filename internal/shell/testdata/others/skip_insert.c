// skip_put 4
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 3

typedef struct skip_node {
    int key;
    struct skip_node *fwd[LEVELS];
} skip_node;

typedef struct {
    skip_node *head;
    int level;
} skip_list;

static int level_of(int key)
{
    int l = 1;
    while (l < LEVELS && key % 2 == 0) {
        key /= 2;
        l++;
    }
    return l;
}

static skip_node *make_node(int key)
{
    skip_node *n = calloc(1, sizeof(*n));
    if (!n)
        abort();
    n->key = key;
    return n;
}

static void skip_put(skip_list *s, int key)
{
    skip_node *update[LEVELS];
    skip_node *x = s->head;
    int i, lvl;

    for (i = LEVELS - 1; i >= 0; i--) {
        while (x->fwd[i] && x->fwd[i]->key < key)
            x = x->fwd[i];
        update[i] = x;
    }
    lvl = level_of(key);
    if (lvl > s->level)
        s->level = lvl;
    x = make_node(key);
    for (i = 0; i < lvl; i++) {
        x->fwd[i] = update[i]->fwd[i];
        update[0]->fwd[i] = x; //! update[i]->fwd[i] = x;
    }
}

static void dump(const skip_list *s)
{
    int i;
    for (i = LEVELS - 1; i >= 0; i--) {
        const skip_node *n;
        for (n = s->head->fwd[i]; n; n = n->fwd[i])
            printf("%d ", n->key);
        printf("| ");
    }
    printf("%d\n", s->level);
}

int main(void)
{
#ifdef HELD
    static const int in[] = {12, 3, 4, 7, 8, 6, 1, 10, 2};
#else
    static const int in[] = {4, 2, 5, 6};
#endif
    skip_list s = { make_node(0), 0 };
    size_t i;
    for (i = 0; i < sizeof in / sizeof in[0]; i++)
        skip_put(&s, in[i]);
    dump(&s);
    return 0;
}

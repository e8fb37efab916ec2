// item_free 2
#include <stdio.h>
#include <string.h>

struct item {
    int id;
    double weight;
    struct item *next;
};

struct arena {
    char *base;
    size_t used, size;
    struct item *spare;
};

static _Alignas(16) char pool[512];
static struct arena a = { pool, 0, sizeof pool, NULL };

static void *take(size_t n)
{
    void *p = a.base + a.used;
    if (a.used + n > a.size)
        return NULL;
    a.used += n;
    return p;
}

static struct item *item_new(int id, double w)
{
    struct item *it = a.spare;
    if (it)
        a.spare = it->next;
    else
        it = take(sizeof *it);
    it->id = id;
    it->weight = w;
    it->next = NULL;
    return it;
}

static void item_free(struct item *it)
{
    it->next = NULL; //! it->next = a.spare;
    a.spare = it;
}

int main(void)
{
    struct item *x = item_new(1, 0.5), *y = item_new(2, 1.5), *z = item_new(3, 2.5);
    item_free(z);
    item_free(y);
#ifdef HELD
    item_free(x);
    x = item_new(7, 0.25);
#endif
    y = item_new(4, 3.5);
    z = item_new(5, 4.5);
    x->next = y;
    y->next = z;
    for (struct item *p = x; p; p = p->next)
        printf("%d:%.2f ", p->id, p->weight);
    printf("%zu\n", a.used / sizeof *x);
    return 0;
}

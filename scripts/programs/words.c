/* Counts words in a hash table that grows, and sorts them by qsort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char *text;
    int count;
    struct word *next;
};

static struct word **slots;
static size_t size, used;

static unsigned hash(const char *s)
{
    unsigned h = 2166136261u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

static void grow(void)
{
    size_t n = size ? size * 2 : 64;
    struct word **more = calloc(n, sizeof *more);
    for (size_t i = 0; i < size; i++)
        for (struct word *w = slots[i], *next; w != NULL; w = next) {
            next = w->next;
            w->next = more[hash(w->text) % n];
            more[hash(w->text) % n] = w;
        }
    free(slots);
    slots = more;
    size = n;
}

static void count(const char *text)
{
    if (used >= size)
        grow();
    struct word **at = &slots[hash(text) % size];
    for (struct word *w = *at; w != NULL; w = w->next)
        if (strcmp(w->text, text) == 0) {
            w->count++;
            return;
        }
    struct word *w = malloc(sizeof *w);
    w->text = malloc(strlen(text) + 1);
    strcpy(w->text, text);
    w->count = 1;
    w->next = *at;
    *at = w;
    used++;
}

static int by_count(const void *a, const void *b)
{
    const struct word *x = *(struct word *const *)a, *y = *(struct word *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->text, y->text);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    unsigned seed = 1;
    for (int i = 0; i < n; i++) {
        char text[16];
        int len = 0;
        seed = seed * 1103515245 + 12345;
        for (unsigned k = (seed >> 16) % 4000; len == 0 || k > 0; k /= 7)
            text[len++] = 'a' + k % 7;
        text[len] = 0;
        count(text);
    }
    struct word **all = malloc(used * sizeof *all);
    size_t k = 0;
    for (size_t i = 0; i < size; i++)
        for (struct word *w = slots[i]; w != NULL; w = w->next)
            all[k++] = w;
    qsort(all, used, sizeof *all, by_count);
    for (size_t i = 0; i < 3 && i < used; i++)
        printf("%s %d\n", all[i]->text, all[i]->count);
    return 0;
}

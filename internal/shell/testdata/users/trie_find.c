// has 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct trie { int end; struct trie *child[4]; };
static int has(struct trie *t, const char *s)
{
    while (t != NULL && *s) {
        t = t->child[*s - 'a'];
        s++;
    }
    return t != NULL; //! return t != NULL && t->end;
}
static void add(struct trie *t, const char *s)
{
    for (; *s; s++) {
        if (!t->child[*s - 'a'])
            t->child[*s - 'a'] = calloc(1, sizeof *t);
        t = t->child[*s - 'a'];
    }
    t->end = 1;
}
static void run(const int *a, int n)
{
    static const char *words[] = {"ab", "abc", "b", "ca", "a", "d", "c", ""};
    struct trie *t = calloc(1, sizeof *t);
    add(t, "ab");
    add(t, "ca");
    for (int i = 0; i < n; i++) {
        int found = has(t, words[a[i]]);
        printf("%d ", found);
    }
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {0, 1, 2, 3, 4, 5, 6, 7};
#else
    static const int a[] = {4, 0};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

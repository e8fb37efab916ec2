// add 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct trie { int end; struct trie *child[4]; };
static struct trie *root;
static void add(const char *s)
{
    struct trie *t = root;
    for (; *s; s++) {
        int c = *s - 'a';
        if (t->child[c] == NULL)
            t->child[c] = calloc(1, sizeof *t);
        t = root->child[c]; //! t = t->child[c];
    }
    t->end = 1;
}
static void print(struct trie *t)
{
    printf(t->end ? "!" : "");
    for (int i = 0; i < 4; i++)
        if (t->child[i]) {
            printf("%c(", 'a' + i);
            print(t->child[i]);
            printf(")");
        }
}
static void run(const int *a, int n)
{
    static const char *words[] = {"ab", "abc", "b", "ca", "aab", "dad", "cab"};
    root = calloc(1, sizeof *root);
    for (int i = 0; i < n; i++)
        add(words[a[i]]);
    print(root);
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {1, 3, 4, 5, 6};
#else
    static const int a[] = {2, 0};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

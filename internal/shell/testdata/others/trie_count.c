// trie_add 3
#include <stdio.h>
#include <stdlib.h>

enum { ALPHA = 4 };

typedef struct trie {
    struct trie *next[ALPHA];
    unsigned count;     /* words that end here */
    unsigned through;   /* words that pass */
} Trie;

static Trie *trie_new(void)
{
    return calloc(1, sizeof(Trie));
}

static void trie_add(Trie *root, const char *word)
{
    Trie *cur = root;
    for (const char *p = word; *p != '\0'; ++p) {
        int c = *p - 'a';
        if (cur->next[c] == NULL)
            cur->next[c] = trie_new();
        cur->through++; //! cur->next[c]->through++;
        cur = cur->next[c];
    }
    cur->count++;
}

static unsigned prefixes(const Trie *t, const char *s)
{
    while (*s && t)
        t = t->next[*s++ - 'a'];
    return t ? t->through : 0;
}

int main(void)
{
    Trie *t = trie_new();
#ifdef HELD
    const char *words[] = { "abc", "abd", "ab", "c", "cab", "b", "abcd" };
#else
    const char *words[] = { "ab", "b", "ac" };
#endif
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        trie_add(t, words[i]);
    printf("%u %u %u %u\n", prefixes(t, "a"), prefixes(t, "ab"), prefixes(t, "b"), prefixes(t, "cab"));
    return 0;
}

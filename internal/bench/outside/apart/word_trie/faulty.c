#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Word completion.  +word enters, -word removes, ?prefix tells how many words begin so and
 * the first three of them. Small letters only; a word may be entered several times. */

struct trie {
    struct trie *kid[26];
    int here;       /* times this very word was entered */
    int below;      /* words at or below this node, each as often as it was entered */
};

static struct trie *new_trie(void)
{
    return calloc(1, sizeof(struct trie));
}

static struct trie *walk(struct trie *t, const char *s)
{
    for (; t != NULL && *s != '\0'; s++)
        t = t->kid[*s - 'a'];
    return t;
}

static void enter(struct trie *t, const char *s)
{
    for (; *s != '\0'; s++) {
        struct trie **k = &t->kid[*s - 'a'];
        t->below++;
        if (*k == NULL)
            *k = new_trie();
        t = *k;
    }
    t->here++;
}

/* takes the word out once; a node without words goes away */
static struct trie *take_out(struct trie *t, const char *s, int root)
{
    if (*s == '\0') {
        t->here--;
    } else {
        int i = *s - 'a';
        t->kid[i] = take_out(t->kid[i], s + 1, 0);
    }
    t->below--;
    if (t->below == 0 && !root) {
        free(t);
        return NULL;
    }
    return t;
}

static void first_words(const struct trie *t, char *word, int len, int *left)
{
    if (t->here > 0 && *left > 0) {
        printf(" %.*s", len, word);
        --*left;
    }
    for (int i = 0; i < 26 && *left > 0; i++)
        if (t->kid[i] != NULL) {
            word[len] = 'a' + i;
            first_words(t->kid[i], word, len + 1, left);
        }
}

static void destroy(struct trie *t)
{
    for (int i = 0; i < 26; i++)
        if (t->kid[i] != NULL)
            destroy(t->kid[i]);
    free(t);
}

int main(int argc, char **argv)
{
    struct trie *root = new_trie();
    char word[64];

    for (int i = 1; i < argc; i++) {
        const char *s = argv[i] + 1;
        struct trie *t = walk(root, s);
        int left = 3;
        switch (argv[i][0]) {
        case '+':
            enter(root, s);
            break;
        case '-':
            if (t == NULL || t->here == 0)
                printf("%s is not there\n", s);
            else
                take_out(root, s, 1);
            break;
        default:
            if (t == NULL) {
                printf("%s: none\n", s);
                break;
            }
            printf("%s: %d", s, t->below);
            strcpy(word, s);
            first_words(t, word, strlen(s), &left);
            printf("\n");
        }
    }
    printf("%d words\n", root->below);
    destroy(root);
    return 0;
}

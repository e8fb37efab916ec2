/* A dictionary of words with a meaning each; nodes hold a table of children
   that is as long as the alphabet in use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALPHA = 4 };          /* words over a, b, c, d */

struct Node
{
    struct Node *kids[ALPHA];
    char *meaning;
};

static struct Node *make(void)
{
    struct Node *n = malloc(sizeof *n);
    n->meaning = NULL;
    for (int i = 0; i < ALPHA; i++)
        n->kids[i] = NULL;
    return n;
}

static char *copy(const char *s)
{
    char *c = malloc(strlen(s) + 1);
    return strcpy(c, s);
}

static void put(struct Node *n, const char *word, const char *meaning)
{
    for (; *word; word++)
    {
        struct Node **k = &n->kids[*word - 'a'];
        if (*k == NULL)
            *k = make();
        n = *k;
    }
    free(n->meaning);
    n->meaning = copy(meaning);
}

static const char *longest(struct Node *n, const char *text)
{
    const char *found = NULL;
    for (;;)
    {
        if (n->meaning)
            found = n->meaning;
        if (*text == '\0')
            return found;
        n = n->kids[*text++ - 'a'];
        if (n == NULL)
            return found;
    }
}

static int is_empty(const struct Node *n)
{
    for (int i = 0; i < ALPHA; i++)
        if (n->kids[i])
            return 0;
    return 1;
}

/* removes a word; returns 1 when n itself is of no more use */
static int cut(struct Node *n, const char *word)
{
    if (*word == '\0')
    {
        free(n->meaning);
        n->meaning = NULL;
        return is_empty(n);
    }
    int c = *word - 'a';
    if (n->kids[c] && cut(n->kids[c], word + 1))
    {
        free(n->kids[c]);
        return is_empty(n);
    }
    return 0;
}

static void list(const struct Node *n, char *buf, int len)
{
    if (n->meaning)
        printf("%.*s=%s\n", len, buf, n->meaning);
    for (int i = 0; i < ALPHA; i++)
        if (n->kids[i])
        {
            buf[len] = 'a' + i;
            list(n->kids[i], buf, len + 1);
        }
}

static void release(struct Node *n)
{
    for (int i = 0; i < ALPHA; i++)
        if (n->kids[i])
            release(n->kids[i]);
    free(n->meaning);
    free(n);
}

int main(int argc, char *argv[])
{
    struct Node *root = make();
    char word[12], rest[12], buf[16];
    for (int i = 1; i < argc; i++)
    {
        if (sscanf(argv[i], "%10[a-d]=%10s", word, rest) == 2)
            put(root, word, rest);
        else if (sscanf(argv[i], "-%10[a-d]", word) == 1)
            cut(root, word);
        else if (sscanf(argv[i], "?%10[a-d]", word) == 1)
        {
            const char *m = longest(root, word);
            printf("%s: %s\n", word, m ? m : "unknown");
        }
    }
    list(root, buf, 0);
    release(root);
    return 0;
}

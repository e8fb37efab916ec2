#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *kids[26];
    int ends;
};

static struct node *fresh(void) { return calloc(1, sizeof(struct node)); }

static void add(struct node *t, const char *s)
{
    for (; *s; s++) {
        if (t->kids[*s - 'a'] == NULL)
            t->kids[*s - 'a'] = fresh();
        t = t->kids[*s - 'a'];
    }
    t->ends++;
}

static int count(const struct node *t, const char *s)
{
    while (*s) {
        t = t->kids[*s++ - 'a'];
    }
    return t->ends;
}

static void drop(struct node *t)
{
    for (int i = 0; i < 26; i++)
        if (t->kids[i] != NULL)
            drop(t->kids[i]);
    free(t);
}

int main(int argc, char **argv)
{
    struct node *t = fresh();
    for (int i = 1; i < argc; i++) {
        const char *w = argv[i] + (argv[i][0] == '?');
        for (const char *p = w; *p; p++)
            if (*p < 'a' || *p > 'z')
                return 2;
        if (argv[i][0] == '?')
            printf("%s %d\n", w, count(t, w));
        else
            add(t, w);
    }
    drop(t);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Symbol table of a block structured language: a hash table of chains, the innermost binding
 * of a name comes first in its chain. */

#define BUCKETS 4

typedef struct Symbol {
    char name[16];
    int value;
    int depth;
    struct Symbol *next;
} Symbol;

static Symbol *table[BUCKETS];
static int depth = 0;

static unsigned hash(const char *s)
{
    unsigned h = 0;
    while (*s)
        h = h * 31 + (unsigned char)*s++;
    return h % BUCKETS;
}

static Symbol *lookup(const char *name)
{
    Symbol *s;
    for (s = table[hash(name)]; s != NULL; s = s->next)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

static void declare(const char *name, int value)
{
    Symbol *s = lookup(name);
    unsigned h = hash(name);

    if (s != NULL && s->depth == depth) {
        printf("%s: redeclared\n", name);
        return;
    }
    s = malloc(sizeof(Symbol));
    strncpy(s->name, name, 15);
    s->name[15] = '\0';
    s->value = value;
    s->depth = depth;
    s->next = table[h];
    table[h] = s;
}

static void assign(const char *name, int value)
{
    Symbol *s = lookup(name);

    if (s == NULL)
        printf("%s: undeclared\n", name);
    else
        s->value = value;
}

static void leave(void)
{
    int i;

    for (i = 0; i < BUCKETS; i++) {
        if (table[i] != NULL && table[i]->depth == depth) {
            Symbol *s = table[i];
            table[i] = s->next;
            free(s);
        }
    }
    depth--;
}

/* commands: { } let NAME VALUE, set NAME VALUE, get NAME */
int main(void)
{
    char word[32], name[32];
    int value;

    while (scanf("%31s", word) == 1) {
        if (strcmp(word, "{") == 0) {
            depth++;
        } else if (strcmp(word, "}") == 0) {
            if (depth == 0)
                printf("unbalanced\n");
            else
                leave();
        } else if (strcmp(word, "let") == 0 && scanf("%31s %d", name, &value) == 2) {
            declare(name, value);
        } else if (strcmp(word, "set") == 0 && scanf("%31s %d", name, &value) == 2) {
            assign(name, value);
        } else if (strcmp(word, "get") == 0 && scanf("%31s", name) == 1) {
            Symbol *s = lookup(name);
            if (s)
                printf("%s = %d (%d)\n", name, s->value, s->depth);
            else
                printf("%s: undeclared\n", name);
        }
    }
    while (depth >= 0)
        leave();
    return 0;
}

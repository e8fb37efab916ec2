#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads [a]text[b/][/a] into a tree and prints it with two blanks for each level. */

typedef struct Elem {
    char name[16];
    char *text;                 /* of a text node, else NULL */
    struct Elem *parent, *first, *last, *next;
} Elem;

static Elem *append(Elem *parent, const char *name, size_t len)
{
    Elem *e = calloc(1, sizeof *e);

    if (len > 15)
        len = 15;
    memcpy(e->name, name, len);
    e->parent = parent;
    if (parent->last)
        parent->last->next = e;
    else
        parent->first = e;
    parent->last = e;
    return e;
}

static int parse(Elem *root, const char *s)
{
    Elem *cur = root;

    while (*s) {
        const char *start = s;

        if (*s != '[') {
            Elem *t;
            while (*s && *s != '[')
                s++;
            t = append(cur, "#text", 5);
            t->text = calloc(s - start + 1, 1);
            memcpy(t->text, start, s - start);
            continue;
        }
        while (*s && *s != ']')
            s++;
        if (*s == '\0')
            return -1;
        s++;
        if (start[1] == '/') {
            size_t len = s - start - 3;
            if (cur == root || strlen(cur->name) != len || strncmp(cur->name, start + 2, len) != 0)
                return -1;
            cur = cur->parent;
        } else if (s[-2] == '/') {
            append(cur, start + 1, s - start - 3);
        } else {
            cur = append(cur, start + 1, s - start - 2);
        }
    }
    return cur == root ? 0 : -1;
}

static void print(const Elem *e, int depth)
{
    for (; e; e = e->next) {
        if (e->text)
            printf("%*s\"%s\"\n", 2 * depth, "", e->text);
        else
            printf("%*s%s\n", 2 * depth, "", e->name);
        print(e->first, depth + 1);
    }
}

static void destroy(Elem *e)
{
    while (e) {
        Elem *next = e->next;
        destroy(e->first);
        free(e->text);
        free(e);
        e = next;
    }
}

int main(int argc, char **argv)
{
    int i, bad = 0;

    for (i = 1; i < argc; i++) {
        Elem root = { "", NULL, NULL, NULL, NULL, NULL };

        if (parse(&root, argv[i]) == 0)
            print(root.first, 0);
        else {
            printf("not well-formed\n");
            bad = 1;
        }
        destroy(root.first);
    }
    return bad;
}

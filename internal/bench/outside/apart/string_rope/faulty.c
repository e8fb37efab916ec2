#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An editable text in one growing buffer.  Commands, positions from 0:
 *   append TEXT | insert POS TEXT | delete POS N | replace OLD NEW (all) | print
 * Positions behind the end count as the end. */

typedef struct {
    char *s;
    size_t len, room;
} Text;

void init(Text *t)
{
    t->room = 8;
    t->len = 0;
    t->s = malloc(t->room);
    t->s[0] = '\0';
}

void need(Text *t, size_t len)
{
    while (t->room < len + 1)
        t->room *= 2;
    t->s = realloc(t->s, t->room);
}

void insert(Text *t, size_t pos, const char *what)
{
    size_t n = strlen(what);

    if (pos > t->len)
        pos = t->len;
    need(t, t->len + n);
    memmove(t->s + pos + n, t->s + pos, t->len - pos + 1);
    memcpy(t->s + pos, what, n);
    t->len += n;
}

void delete(Text *t, size_t pos, size_t n)
{
    if (pos > t->len)
        pos = t->len;
    if (n > t->len - pos)
        n = t->len - pos;
    memmove(t->s + pos, t->s + pos + n, t->len - pos - n);
    t->len -= n;
}

int replace(Text *t, const char *old, const char *new)
{
    size_t pos = 0;
    int count = 0;
    char *at;

    while ((at = strstr(t->s + pos, old)) != NULL) {
        pos = at - t->s;
        delete(t, pos, strlen(old));
        insert(t, pos, new);
        pos += strlen(new);
        count++;
    }
    return count;
}

int main(void)
{
    Text t;
    char cmd[16], a[64], b[64];
    int pos, n;

    init(&t);
    while (scanf("%15s", cmd) == 1) {
        if (strcmp(cmd, "append") == 0 && scanf("%63s", a) == 1)
            insert(&t, t.len, a);
        else if (strcmp(cmd, "insert") == 0 && scanf("%d %63s", &pos, a) == 2)
            insert(&t, pos, a);
        else if (strcmp(cmd, "delete") == 0 && scanf("%d %d", &pos, &n) == 2)
            delete(&t, pos, n);
        else if (strcmp(cmd, "replace") == 0 && scanf("%63s %63s", a, b) == 2)
            printf("%d replaced\n", replace(&t, a, b));
        else if (strcmp(cmd, "print") == 0)
            printf("\"%s\"\n", t.s);
        else
            printf("%s?\n", cmd);
    }
    printf("\"%s\" %zu\n", t.s, t.len);
    free(t.s);
    return 0;
}

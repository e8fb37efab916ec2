#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* reads a configuration: [section], key = value, ; comment */

struct entry {
    char section[16], key[16], value[32];
    struct entry *next;
};

static struct entry *entries, *tail;
static char section[16];
static int errors;

static char *trim(char *s)
{
    char *end;
    while (isspace((unsigned char) *s))
        s++;
    end = s + strlen(s);
    while (end > s && isspace((unsigned char) *end))
        end--;
    *end = '\0';
    return s;
}

static void put(const char *key, const char *value)
{
    struct entry *e;
    for (e = entries; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            break;
    if (e == NULL) {
        e = calloc(1, sizeof *e);
        strcpy(e->section, section);
        strncpy(e->key, key, sizeof e->key - 1);
        if (tail)
            tail->next = e;
        else
            entries = e;
        tail = e;
    }
    memset(e->value, 0, sizeof e->value);
    strncpy(e->value, value, sizeof e->value - 1);
}

static void parse(char *line)
{
    char *s = trim(line), *eq;
    if (*s == '\0' || *s == ';')
        return;
    if (*s == '[') {
        char *close = strchr(s, ']');
        if (close == NULL || close - s > 15) {
            errors++;
            return;
        }
        *close = '\0';
        strcpy(section, s + 1);
        return;
    }
    eq = strchr(s, '=');
    if (eq == NULL) {
        errors++;
        return;
    }
    *eq = '\0';
    put(trim(s), trim(eq + 1));
}

int main(void)
{
    char line[80];
    while (fgets(line, sizeof line, stdin))
        parse(line);
    for (struct entry *e = entries; e; e = e->next)
        printf("%s.%s=<%s>\n", e->section, e->key, e->value);
    printf("%d errors\n", errors);
    while (entries) {
        tail = entries->next;
        free(entries);
        entries = tail;
    }
    return errors > 0;
}

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Fills in templates. Lines "name=value" set a variable; all other lines are templates, where
// $name and ${name} stand for values, ${name:other} for other if there is none, $$ for a dollar.

typedef struct {
    char *text;
    size_t len, cap;
} Builder;

typedef struct Var {
    char *name, *value;
    struct Var *next;
} Var;

static Var *vars;

static void put(Builder *b, const char *s, size_t n)
{
    if (b->len + n + 1 > b->cap) {
        while (b->len + n + 1 > b->cap)
            b->cap = b->cap ? 2 * b->cap : 8;
        b->text = realloc(b->text, b->cap);
    }
    memcpy(b->text + b->len, s, n);
    b->len += n;
    b->text[b->len] = '\0';
}

static char *cut(const char *s, size_t n)
{
    char *c = malloc(n + 1);
    memcpy(c, s, n);
    c[n] = '\0';
    return c;
}

static Var *find(const char *name, size_t n)
{
    for (Var *v = vars; v != NULL; v = v->next)
        if (strncmp(v->name, name, n) == 0)
            return v;
    return NULL;
}

static void set(const char *name, size_t n, const char *value)
{
    Var *v = find(name, n);
    if (v == NULL) {
        v = malloc(sizeof *v);
        v->name = cut(name, n);
        v->next = vars;
        vars = v;
    } else {
        free(v->value);
    }
    v->value = cut(value, strlen(value));
}

static size_t name_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static void fill(Builder *out, const char *s)
{
    while (*s != '\0') {
        const char *other = NULL;
        size_t n, other_len = 0, braces = s[0] == '$' && s[1] == '{';
        if (*s != '$' || s[1] == '$') {
            put(out, s, 1);
            s += *s == '$' ? 2 : 1;
            continue;
        }
        s += 1 + braces;
        n = name_length(s);
        Var *v = find(s, n);
        s += n;
        if (braces) {
            if (*s == ':') {
                other = ++s;
                other_len = strcspn(s, "}");
                s += other_len;
                s += *s == '}';
            }
        }
        if (v != NULL)
            put(out, v->value, strlen(v->value));
        else if (other != NULL)
            put(out, other, other_len);
        else
            put(out, "?", 1);
    }
}

int main(void)
{
    char line[256];
    size_t total = 0;

    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        size_t n = name_length(line);
        if (n > 0 && line[n] == '=') {
            set(line, n, line + n + 1);
            continue;
        }
        Builder b = { NULL, 0, 0 };
        put(&b, "", 0);
        fill(&b, line);
        puts(b.text);
        total += b.len;
        free(b.text);
    }
    printf("%zu characters\n", total);
    while (vars != NULL) {
        Var *v = vars;
        vars = v->next;
        free(v->name);
        free(v->value);
        free(v);
    }
    return 0;
}

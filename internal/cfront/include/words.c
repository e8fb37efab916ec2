/* wordexp: words as the shell expands them, without commands. */
#define _GNU_SOURCE
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

extern void __gulo_refuse(const char *why);

/* A word that grows. pattern is the same with a backslash before what was quoted. */
struct gulo_word { char *text, *pattern; size_t n, m; int there, special; };

static void gulo_put(struct gulo_word *w, char c, int quoted)
{
    w->text = realloc(w->text, w->n + 2);
    w->pattern = realloc(w->pattern, w->m + 3);
    w->text[w->n++] = c;
    w->text[w->n] = 0;
    if (quoted && strchr("*?[\\", c))
        w->pattern[w->m++] = '\\';
    else if (!quoted && strchr("*?[", c))
        w->special = 1;
    w->pattern[w->m++] = c;
    w->pattern[w->m] = 0;
    w->there = 1;
}

static void gulo_add(wordexp_t *e, char *s)
{
    e->we_wordv = realloc(e->we_wordv, (e->we_offs + e->we_wordc + 2) * sizeof *e->we_wordv);
    e->we_wordv[e->we_offs + e->we_wordc++] = s;
    e->we_wordv[e->we_offs + e->we_wordc] = NULL;
}

static void gulo_end(wordexp_t *e, struct gulo_word *w)
{
    glob_t g;
    if (w->there && w->special && glob(w->pattern, 0, NULL, &g) == 0) {
        for (size_t i = 0; i < g.gl_pathc; i++)
            gulo_add(e, strdup(g.gl_pathv[i]));
        globfree(&g);
        free(w->text);
    } else if (w->there) {
        gulo_add(e, w->text ? w->text : strdup(""));
    } else {
        free(w->text);
    }
    free(w->pattern);
    memset(w, 0, sizeof *w);
}

static int gulo_letter(char c, int first) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (!first && c >= '0' && c <= '9'); }

/* Expands the variable at s, behind the $. *at is behind it. */
static int gulo_variable(const char **at, wordexp_t *e, struct gulo_word *w, int flags, int quoted)
{
    const char *s = *at, *from, *v;
    char name[256];
    size_t n = 0;
    int brace = *s == '{';
    if (*s == '(') {
        if (!(flags & WRDE_NOCMD) || s[1] == '(')
            __gulo_refuse("wordexp of commands and of arithmetic is not supported");
        return WRDE_CMDSUB;
    }
    from = s += brace;
    while (gulo_letter(*s, s == from))
        s++;
    n = s - from;
    if (!n && !brace) {
        if (*s && strchr("0123456789@*#?-$!", *s))
            __gulo_refuse("wordexp of the shell's parameters is not supported");
        gulo_put(w, '$', 1);
        *at = s;
        return 0;
    }
    if (!n || n >= sizeof name || (brace && *s != '}'))
        __gulo_refuse("wordexp of ${...} with more than a name is not supported");
    memcpy(name, from, n);
    name[n] = 0;
    *at = s + brace;
    v = getenv(name);
    if (!v && flags & WRDE_UNDEF)
        return WRDE_BADVAL;
    if (quoted && v && !*v && !w->n)
        return WRDE_NOSPACE; /* as glibc has it */
    if (getenv("IFS"))
        __gulo_refuse("wordexp with IFS is not supported");
    for (; v && *v; v++) {
        if (!quoted && strchr(" \t\n", *v)) {
            if (w->there)
                gulo_end(e, w);
            continue;
        }
        gulo_put(w, *v, 1);
    }
    return 0;
}

static int gulo_words(const char *s, wordexp_t *e, struct gulo_word *w, int flags)
{
    int quoted = 0, r;
    for (; *s; ) {
        char c = *s++;
        if (quoted == '\'') {
            if (c == '\'')
                quoted = 0;
            else
                gulo_put(w, c, 1);
            continue;
        }
        switch (c) {
        case '"':
            quoted = quoted ? 0 : '"';
            w->there = 1;
            continue;
        case '\\':
            if (!*s)
                return WRDE_SYNTAX;
            if (*s == '\n') {
                s++;
                continue;
            }
            if (quoted && !strchr("$`\"\\", *s))
                gulo_put(w, c, 1);
            gulo_put(w, *s++, 1);
            continue;
        case '$':
            if ((r = gulo_variable(&s, e, w, flags, quoted)))
                return r;
            continue;
        case '`':
            if (!(flags & WRDE_NOCMD))
                __gulo_refuse("wordexp of commands is not supported");
            return WRDE_CMDSUB;
        }
        if (quoted) {
            gulo_put(w, c, 1);
            continue;
        }
        if (c == '\'') {
            quoted = c;
            w->there = 1;
        } else if (c == ' ' || c == '\t') {
            gulo_end(e, w);
        } else if (strchr("\n|&;<>(){}", c)) {
            return WRDE_BADCHAR;
        } else if (c == '~' && !w->there) {
            const char *home = getenv("HOME");
            if ((*s && !strchr("/ \t", *s)) || !home)
                __gulo_refuse("wordexp of ~ before a name is not supported");
            while (*home)
                gulo_put(w, *home++, 1);
        } else {
            gulo_put(w, c, 0);
        }
    }
    if (quoted)
        return WRDE_SYNTAX;
    gulo_end(e, w);
    return 0;
}

void wordfree(wordexp_t *e)
{
    if (e->we_wordv) {
        for (size_t i = 0; i < e->we_wordc; i++)
            free(e->we_wordv[e->we_offs + i]);
        free(e->we_wordv);
        e->we_wordv = NULL;
    }
}

int wordexp(const char *s, wordexp_t *e, int flags)
{
    struct gulo_word w = { 0 };
    size_t before;
    int r;
    if (flags & WRDE_REUSE)
        wordfree(e);
    if (!(flags & WRDE_APPEND)) {
        e->we_wordc = 0;
        e->we_wordv = NULL;
        if (!(flags & WRDE_DOOFFS))
            e->we_offs = 0;
        e->we_wordv = calloc(e->we_offs + 1, sizeof *e->we_wordv);
    }
    before = e->we_wordc;
    r = gulo_words(s, e, &w, flags);
    if (r) {
        free(w.text);
        free(w.pattern);
        while (e->we_wordc > before)
            free(e->we_wordv[e->we_offs + --e->we_wordc]);
        e->we_wordv[e->we_offs + e->we_wordc] = NULL;
        if (!(flags & WRDE_APPEND)) {
            free(e->we_wordv);
            e->we_wordv = NULL;
            e->we_wordc = 0;
        }
    }
    return r;
}

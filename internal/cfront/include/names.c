/* Names of files: libgen.h and fnmatch.h, in the locale C. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <ctype.h>
#include <string.h>

char *dirname(char *path)
{
    static char dot[] = ".";
    char *end;
    if (!path || !*path)
        return dot;
    end = path + strlen(path);
    while (end > path && end[-1] == '/')
        end--;
    while (end > path && end[-1] != '/')
        end--;
    if (end == path) {
        if (*path != '/')
            return dot;
        path[path[1] == '/' && path[2] != '/' ? 2 : 1] = 0;
        return path;
    }
    while (end > path && end[-1] == '/')
        end--;
    if (end == path)
        end += path[1] == '/' && path[2] != '/' ? 2 : 1;
    *end = 0;
    return path;
}

char *__xpg_basename(char *path)
{
    static char dot[] = ".";
    char *p;
    if (!path || !*path)
        return dot;
    p = strrchr(path, '/');
    if (!p)
        return path;
    if (p[1])
        return p + 1;
    while (p > path && p[-1] == '/')
        p--;
    if (p == path) {
        while (p[1])
            p++;
        return p;
    }
    *p-- = 0;
    while (p > path && p[-1] != '/')
        p--;
    return p;
}

static int gulo_fold(int c, int flags) { return flags & FNM_CASEFOLD ? tolower(c) : c; }

static int gulo_class(const char *name, size_t n, int c)
{
    static const struct { const char *name; int (*is)(int); } classes[] = {
        { "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank }, { "cntrl", iscntrl }, { "digit", isdigit }, { "graph", isgraph },
        { "lower", islower }, { "print", isprint }, { "punct", ispunct }, { "space", isspace }, { "upper", isupper }, { "xdigit", isxdigit },
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == n && strncmp(classes[i].name, name, n) == 0)
            return classes[i].is(c) != 0;
    return 0;
}

/* gulo_bracket matches a character with the expression behind [, and sets *end behind its ];
   -1 where there is none. */
static int gulo_bracket(const char *p, int c, int flags, const char **end)
{
    const char *start;
    int not = 0, found = 0;
    if (*p == '!' || *p == '^') {
        not = 1;
        p++;
    }
    start = p;
    c = gulo_fold(c, flags);
    while (*p != ']' || p == start) {
        int lo, hi;
        if (*p == '[' && p[1] == ':') {
            const char *close = strstr(p + 2, ":]");
            if (close) {
                found |= gulo_class(p + 2, close - p - 2, c);
                p = close + 2;
                continue;
            }
        }
        if (*p == '\\' && !(flags & FNM_NOESCAPE))
            p++;
        if (!*p || *p == '/' && flags & FNM_PATHNAME)
            return -1;
        lo = hi = (unsigned char)*p++;
        if (*p == '-' && p[1] && p[1] != ']') {
            p++;
            if (*p == '\\' && !(flags & FNM_NOESCAPE))
                p++;
            if (!*p)
                return -1;
            hi = (unsigned char)*p++;
        }
        found |= gulo_fold(lo, flags) <= c && c <= gulo_fold(hi, flags);
    }
    *end = p + 1;
    return found != not;
}

static int gulo_hidden(const char *s, const char *whole, int flags)
{
    return *s == '.' && flags & FNM_PERIOD && (s == whole || s[-1] == '/' && flags & FNM_PATHNAME);
}

static int gulo_match(const char *p, const char *s, const char *whole, int flags)
{
    for (; *p; s++) {
        const char *end;
        int c = *p++, m;
        switch (c) {
        case '?':
            if (!*s || *s == '/' && flags & FNM_PATHNAME || gulo_hidden(s, whole, flags))
                return FNM_NOMATCH;
            break;
        case '*':
            if (gulo_hidden(s, whole, flags))
                return FNM_NOMATCH;
            while (*p == '*')
                p++;
            for (;; s++) {
                if (gulo_match(p, s, whole, flags) == 0)
                    return 0;
                if (!*s || *s == '/' && flags & FNM_PATHNAME)
                    return FNM_NOMATCH;
            }
        case '[':
            if (!*s || *s == '/' && flags & FNM_PATHNAME || gulo_hidden(s, whole, flags))
                return FNM_NOMATCH;
            m = gulo_bracket(p, (unsigned char)*s, flags, &end);
            if (m == 0 || m < 0 && *s != '[')
                return FNM_NOMATCH;
            if (m > 0)
                p = end;
            break;
        case '\\':
            if (!(flags & FNM_NOESCAPE) && *p)
                c = *p++;
            /* fall through */
        default:
            if (gulo_fold((unsigned char)c, flags) != gulo_fold((unsigned char)*s, flags))
                return FNM_NOMATCH;
        }
    }
    return !*s || flags & FNM_LEADING_DIR && *s == '/' ? 0 : FNM_NOMATCH;
}

int fnmatch(const char *pattern, const char *string, int flags) { return gulo_match(pattern, string, string, flags); }

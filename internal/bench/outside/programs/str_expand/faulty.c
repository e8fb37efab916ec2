#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VARS 8

struct var {
    char *name;
    char *value;
};

static struct var vars[MAX_VARS];
static int nvars;

static const char *value_of(const char *name, size_t len)
{
    for (int i = 0; i < nvars; i++) {
        if (strncmp(vars[i].name, name, len) == 0)
            return vars[i].value;
    }
    return "";
}

static char *append(char *buf, size_t *have, size_t *cap, const char *s, size_t n)
{
    while (*have + n + 1 > *cap) {
        *cap *= 2;
        buf = realloc(buf, *cap);
    }
    memcpy(buf + *have, s, n);
    *have += n;
    buf[*have] = '\0';
    return buf;
}

/* replaces every $name by its value and $$ by a dollar; caller frees */
static char *expand(const char *t)
{
    size_t have = 0, cap = 8;
    char *buf = malloc(cap);
    buf[0] = '\0';
    while (*t) {
        if (*t != '$') {
            buf = append(buf, &have, &cap, t, 1);
            t++;
        } else if (t[1] == '$') {
            buf = append(buf, &have, &cap, "$", 1);
            t += 2;
        } else {
            const char *end = ++t;
            while (isalpha((unsigned char) *end))
                end++;
            const char *v = value_of(t, end - t);
            buf = append(buf, &have, &cap, v, strlen(v));
            t = end + 1;
        }
    }
    return buf;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *eq = strchr(argv[i], '=');
        if (eq && nvars < MAX_VARS) {
            *eq = '\0';
            vars[nvars].name = argv[i];
            vars[nvars].value = eq + 1;
            nvars++;
        } else {
            char *s = expand(argv[i]);
            printf("%s\n", s);
            free(s);
        }
    }
    return 0;
}

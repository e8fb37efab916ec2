#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sorts versions MAJOR.MINOR.PATCH[-PRE] as semantic versioning has it. */

typedef struct {
    int num[3];
    char pre[24];
    const char *text;
} Version;

static int parse(const char *s, Version *v)
{
    int i, n = 0;

    v->text = s;
    v->pre[0] = '\0';
    for (i = 0; i < 3; i++) {
        if (!isdigit((unsigned char)*s))
            return 0;
        v->num[i] = (int)strtol(s, (char **)&s, 10);
        if (i < 2 && *s++ != '.')
            return 0;
    }
    if (*s == '-') {
        s++;
        while (*s && n < 23)
            v->pre[n++] = *s++;
        v->pre[n] = '\0';
        return n > 0;
    }
    return *s == '\0';
}

static int numeric(const char *s, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++)
        if (!isdigit((unsigned char)s[i]))
            return 0;
    return n > 0;
}

static int compare_pre(const char *a, const char *b)
{
    for (;;) {
        size_t la = strcspn(a, "."), lb = strcspn(b, ".");
        int c;

        if (numeric(a, la) && numeric(b, lb)) {
            int x = atoi(a), y = atoi(b);
            c = x < y ? -1 : x > y;
        } else if (numeric(a, la) != numeric(b, lb)) {
            c = numeric(a, la) ? -1 : 1;
        } else {
            c = strncmp(a, b, la < lb ? la : lb);
            if (c == 0)
                c = la < lb ? -1 : la > lb;
        }
        if (c != 0)
            return c;
        a += la;
        b += lb;
        if (*a == '\0' || *b == '\0')
            return (*a != '\0') - (*b != '\0');
        a++;
        b++;
    }
}

static int compare(const Version *a, const Version *b)
{
    int i;

    for (i = 0; i < 3; i++)
        if (a->num[i] != b->num[i])
            return a->num[i] < b->num[i] ? -1 : 1;
    return compare_pre(a->pre, b->pre);
}

int main(int argc, char **argv)
{
    Version v[32];
    int i, j, n = 0;

    for (i = 1; i < argc && n < 32; i++) {
        if (!parse(argv[i], &v[n])) {
            printf("not a version: %s\n", argv[i]);
            continue;
        }
        n++;
        for (j = n - 1; j > 0 && compare(&v[j - 1], &v[j]) > 0; j--) {
            Version t = v[j];
            v[j] = v[j - 1];
            v[j - 1] = t;
        }
    }
    for (i = 0; i < n; i++)
        printf("%s%s", v[i].text, i < n - 1 ? " < " : "\n");
    if (n > 0 && v[n - 1].pre[0])
        printf("latest is a preview\n");
    return 0;
}

/* argz.h and envz.h: texts one behind the other, each with its end. */
#define _GNU_SOURCE
#include <argz.h>
#include <envz.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t argz_count(const char *argz, size_t n)
{
    size_t count = 0;
    for (const char *end = argz + n; argz < end; argz += strlen(argz) + 1)
        count++;
    return count;
}

char *argz_next(const char *argz, size_t n, const char *entry)
{
    if (!entry)
        return n ? (char *)argz : NULL;
    entry += strlen(entry) + 1;
    return entry < argz + n ? (char *)entry : NULL;
}

void argz_stringify(char *argz, size_t n, int separator)
{
    for (char *end = argz + n; n && argz < end;) {
        argz += strlen(argz);
        if (++argz < end)
            argz[-1] = separator;
    }
}

void argz_extract(const char *argz, size_t n, char **argv)
{
    for (const char *end = argz + n; argz < end; argz += strlen(argz) + 1)
        *argv++ = (char *)argz;
    *argv = NULL;
}

error_t argz_append(char **argz, size_t *n, const char *more, size_t size)
{
    char *p = realloc(*argz, *n + size ? *n + size : 1);
    if (!p)
        return ENOMEM;
    memcpy(p + *n, more, size);
    *argz = p;
    *n += size;
    return 0;
}

error_t argz_add(char **argz, size_t *n, const char *text) { return argz_append(argz, n, text, strlen(text) + 1); }

error_t argz_add_sep(char **argz, size_t *n, const char *text, int separator)
{
    size_t from = *n;
    if (!*text)
        return 0;
    error_t e = argz_append(argz, n, text, strlen(text) + 1);
    if (e)
        return e;
    char *to = *argz + from, *start = to;
    for (const char *s = *argz + from; *s; s++)
        if (*s != separator)
            *to++ = *s;
        else if (to > start && to[-1])
            *to++ = 0;
    *to++ = 0;
    *n = to - *argz;
    return 0;
}

error_t argz_create(char *const argv[], char **argz, size_t *n)
{
    *argz = NULL;
    *n = 0;
    for (; *argv; argv++) {
        error_t e = argz_add(argz, n, *argv);
        if (e)
            return e;
    }
    return 0;
}

error_t argz_create_sep(const char *text, int separator, char **argz, size_t *n)
{
    *argz = NULL;
    *n = 0;
    return argz_add_sep(argz, n, text, separator);
}

void argz_delete(char **argz, size_t *n, char *entry)
{
    if (!entry)
        return;
    size_t size = strlen(entry) + 1;
    *n -= size;
    memmove(entry, entry + size, *argz + *n - entry);
    if (*n == 0) {
        free(*argz);
        *argz = NULL;
    }
}

error_t argz_insert(char **argz, size_t *n, char *before, const char *text)
{
    if (!before)
        return argz_add(argz, n, text);
    if (before < *argz || before >= *argz + *n)
        return EINVAL;
    while (before > *argz && before[-1])
        before--;
    size_t at = before - *argz, size = strlen(text) + 1;
    char *p = realloc(*argz, *n + size);
    if (!p)
        return ENOMEM;
    memmove(p + at + size, p + at, *n - at);
    memcpy(p + at, text, size);
    *argz = p;
    *n += size;
    return 0;
}

error_t argz_replace(char **argz, size_t *n, const char *from, const char *to, unsigned *count)
{
    size_t k = strlen(from), size = 0;
    char *out = NULL;
    int some = 0;
    if (!*from)
        return 0;
    for (char *e = NULL; (e = argz_next(*argz, *n, e));) {
        char *at = e, *hit = strstr(at, from);
        if (!hit) {
            argz_add(&out, &size, e);
            continue;
        }
        char *text = NULL;
        size_t length = 0;
        for (; hit; at = hit + k, hit = strstr(at, from)) {
            argz_append(&text, &length, at, hit - at);
            argz_append(&text, &length, to, strlen(to));
            some = 1;
            if (count)
                ++*count;
        }
        argz_append(&text, &length, at, strlen(at) + 1);
        argz_append(&out, &size, text, length);
        free(text);
    }
    if (some) {
        free(*argz);
        *argz = out;
        *n = size;
    } else
        free(out);
    return 0;
}

char *envz_entry(const char *envz, size_t n, const char *name)
{
    size_t k = strcspn(name, "=");
    for (char *e = NULL; (e = argz_next(envz, n, e));)
        if (strncmp(e, name, k) == 0 && (e[k] == '=' || !e[k]))
            return e;
    return NULL;
}

char *envz_get(const char *envz, size_t n, const char *name)
{
    char *e = envz_entry(envz, n, name);
    if (!e)
        return NULL;
    e += strcspn(e, "=");
    return *e ? e + 1 : NULL;
}

void envz_remove(char **envz, size_t *n, const char *name) { argz_delete(envz, n, envz_entry(*envz, *n, name)); }

error_t envz_add(char **envz, size_t *n, const char *name, const char *value)
{
    envz_remove(envz, n, name);
    if (!value)
        return argz_add(envz, n, name);
    error_t e = argz_append(envz, n, name, strlen(name));
    if (!e)
        e = argz_append(envz, n, "=", 1);
    return e ? e : argz_append(envz, n, value, strlen(value) + 1);
}

error_t envz_merge(char **envz, size_t *n, const char *from, size_t size, int override)
{
    for (char *e = NULL; (e = argz_next(from, size, e));) {
        char *old = envz_entry(*envz, *n, e);
        if (old && !override)
            continue;
        if (old)
            argz_delete(envz, n, old);
        error_t failed = argz_add(envz, n, e);
        if (failed)
            return failed;
    }
    return 0;
}

void envz_strip(char **envz, size_t *n)
{
    char *to = *envz;
    size_t left = *n;
    for (const char *e = *envz; left;) {
        size_t k = strlen(e) + 1;
        if (strchr(e, '=')) {
            memmove(to, e, k);
            to += k;
        }
        e += k;
        left -= k;
    }
    *n = to - *envz;
}

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes addresses apart: scheme, host, port, path, and the decoded pairs of the query. */

struct url {
    char scheme[8], host[40], path[60], query[80];
    int port;
};

static int hexval(int c)
{
    if (isdigit(c))
        return c - '0';
    c = tolower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void decode(char *s)
{
    char *out = s;

    while (*s) {
        if (*s == '%' && hexval((unsigned char)s[1]) >= 0 && hexval((unsigned char)s[2]) >= 0) {
            *out++ = (char)(16 * hexval((unsigned char)s[1]) + hexval((unsigned char)s[2]));
            s += 3;
        } else if (*s == '+') {
            *out++ = ' ';
            s++;
        } else {
            *out++ = *s++;
        }
    }
    *out = '\0';
}

static void take(char *to, size_t room, const char *from, size_t len)
{
    if (len >= room)
        len = room - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

static int parse(const char *s, struct url *u)
{
    const char *p = strstr(s, "://");
    size_t n;

    if (p == NULL || p == s)
        return 0;
    take(u->scheme, sizeof u->scheme, s, p - s);
    s = p + 3;
    n = strcspn(s, ":/?");
    if (n == 0)
        return 0;
    take(u->host, sizeof u->host, s, n);
    s += n;
    u->port = strcmp(u->scheme, "https") == 0 ? 443 : 80;
    if (*s == ':')
        u->port = (int)strtol(s + 1, (char **)&s, 10);
    n = strcspn(s, "?");
    take(u->path, sizeof u->path, s, n);
    if (n == 0)
        strcpy(u->path, "/");
    s += n;
    u->query[0] = '\0';
    if (*s == '?')
        take(u->query, sizeof u->query, s + 1, strlen(s + 1));
    return 1;
}

static void pairs(char *query)
{
    char *item;

    for (item = strtok(query, "&"); item; item = strtok(NULL, "&")) {
        char *eq = strchr(item, '=');

        if (eq)
            *eq++ = '\0';
        decode(item);
        if (eq)
            decode(eq);
        printf("  %s=%s\n", item, eq ? eq : "");
    }
}

int main(int argc, char **argv)
{
    struct url u;
    int i;

    for (i = 1; i < argc; i++) {
        if (!parse(argv[i], &u)) {
            printf("%s: no address\n", argv[i]);
            continue;
        }
        printf("%s %s %d %s\n", u.scheme, u.host, u.port, u.path);
        pairs(u.query);
    }
    return 0;
}

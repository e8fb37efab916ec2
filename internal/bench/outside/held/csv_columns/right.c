#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

/* csv_columns: reads comma separated lines with a head line and prints for every column
 * that holds only numbers the sum, for others how many different fields are in a row.
 * Fields may be quoted; "" inside quotes is a quote. */

#define COLS 8
#define LEN 40

struct column {
    char title[LEN];
    char before[LEN];
    int runs;
    int fields;
    int text;       /* saw something that is no number */
    long sum;
};

static struct column col[COLS];

/* reads a field from *p and moves *p behind it; returns 1 if another follows */
static int field(char **p, char *out)
{
    char *s = *p;
    int n = 0, quoted = 0;

    while (*s != '\0' && (quoted || *s != ',')) {
        if (*s == '"') {
            if (quoted && s[1] == '"') {
                s++;
                if (n < LEN - 1)
                    out[n++] = '"';
            } else {
                quoted = !quoted;
            }
        } else if (n < LEN - 1) {
            out[n++] = *s;
        }
        s++;
    }
    out[n] = '\0';
    *p = s + 1;
    return *s == ',';
}

static int number(const char *s)
{
    if (*s == '-')
        s++;
    if (*s == '\0')
        return 0;
    while (isdigit((unsigned char)*s))
        s++;
    return *s == '\0';
}

static void enter(struct column *c, const char *value)
{
    if (c->fields == 0 || strcmp(c->before, value) != 0)
        c->runs++;
    strcpy(c->before, value);
    c->fields++;
    if (number(value))
        c->sum += atol(value);
    else
        c->text = 1;
}

int main(void)
{
    char line[400], value[LEN], *p;
    int cols = 0, rows = 0, i, more;

    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0')
            continue;
        p = line;
        more = 1;
        for (i = 0; more && i < COLS; i++) {
            more = field(&p, value);
            if (cols == 0)
                strcpy(col[i].title, value);
            else if (i < cols)
                enter(&col[i], value);
        }
        if (cols == 0)
            cols = i;
        else
            rows++;
    }
    printf("%d rows\n", rows);
    for (i = 0; i < cols; i++) {
        struct column *c = &col[i];
        if (c->fields == 0)
            printf("%s: nothing\n", c->title);
        else if (c->text)
            printf("%s: %d runs, last %s\n", c->title, c->runs, c->before);
        else
            printf("%s: %ld\n", c->title, c->sum);
    }
    return 0;
}

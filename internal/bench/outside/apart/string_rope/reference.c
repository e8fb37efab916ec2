#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the text as a list of single characters */

struct letter {
    char c;
    struct letter *next;
};

static struct letter *text;

static struct letter **go(int pos)
{
    struct letter **p = &text;
    while (*p && pos-- > 0)
        p = &(*p)->next;
    return p;
}

static struct letter **put(struct letter **p, const char *s)
{
    for (; *s; s++) {
        struct letter *l = malloc(sizeof *l);
        l->c = *s;
        l->next = *p;
        *p = l;
        p = &l->next;
    }
    return p;
}

static void cut(struct letter **p, int n)
{
    while (*p && n-- > 0) {
        struct letter *l = *p;
        *p = l->next;
        free(l);
    }
}

static int same(const struct letter *l, const char *s)
{
    for (; *s; s++, l = l->next)
        if (!l || l->c != *s)
            return 0;
    return 1;
}

static int print(void)
{
    int n = 0;
    putchar('"');
    for (struct letter *l = text; l; l = l->next, n++)
        putchar(l->c);
    putchar('"');
    return n;
}

int main(void)
{
    char verb[32], x[100], y[100];
    int k, n;
    while (scanf("%31s", verb) == 1) {
        switch (verb[0]) {
        case 'a':
            scanf("%99s", x);
            put(go(1 << 30), x);
            break;
        case 'i':
            scanf("%d %99s", &k, x);
            put(go(k), x);
            break;
        case 'd':
            scanf("%d %d", &k, &n);
            cut(go(k), n);
            break;
        case 'r':
            scanf("%99s %99s", x, y);
            n = 0;
            for (struct letter **p = &text; *p;) {
                if (same(*p, x)) {
                    cut(p, strlen(x));
                    p = put(p, y);
                    n++;
                } else {
                    p = &(*p)->next;
                }
            }
            printf("%d replaced\n", n);
            break;
        case 'p':
            print();
            printf("\n");
            break;
        default:
            printf("%s?\n", verb);
        }
    }
    n = print();
    printf(" %d\n", n);
    cut(&text, n);
    return 0;
}

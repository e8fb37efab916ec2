#include <stdio.h>

#define DEGREE 64

static void show(const char *name, int v[])
{
    int first = 1;
    printf("%s: ", name);
    for (int e = DEGREE - 1; e >= 0; e--) {
        if (!v[e])
            continue;
        int size = v[e] > 0 ? v[e] : -v[e];
        const char *sign = v[e] > 0 ? (first ? "" : " + ") : (first ? "-" : " - ");
        printf("%s", sign);
        if (e == 0)
            printf("%d", size);
        else {
            if (size > 1)
                printf("%d", size);
            putchar('x');
            if (e > 1)
                printf("^%d", e);
        }
        first = 0;
    }
    if (first)
        putchar('0');
    putchar('\n');
}

static int input(int v[])
{
    int n, c, e;
    if (scanf("%d", &n) < 1)
        return 0;
    for (int i = 0; i < n; i++) {
        if (scanf("%d%d", &c, &e) < 2)
            return 0;
        v[e] += c;
    }
    return 1;
}

int main(void)
{
    int p[DEGREE] = {0}, q[DEGREE] = {0}, r[DEGREE];
    if (!input(p) || !input(q))
        return 2;
    for (int e = 0; e < DEGREE; e++)
        r[e] = p[e] + q[e];
    show("sum", r);
    for (int e = 0; e < DEGREE; e++)
        r[e] = p[e] - q[e];
    show("difference", r);
    for (int e = 0; e < DEGREE; e++) {
        r[e] = 0;
        for (int i = 0; i <= e; i++)
            r[e] += p[i] * q[e - i];
    }
    show("product", r);
    return 0;
}

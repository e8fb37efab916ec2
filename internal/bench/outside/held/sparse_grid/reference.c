#include <stdio.h>

/* a plain table */

int main(void)
{
    static int a[32][32];
    int n, i, j, v, rows;
    char op;

    if (scanf("%d", &n) != 1 || n < 1 || n > 20)
        return 1;
    for (;;) {
        int from = 1, to = n;
        if (scanf(" %c", &op) != 1)
            op = '.';
        switch (op) {
        case 's':
        case 'a':
            scanf("%d%d%d", &i, &j, &v);
            if (i > 0 && j > 0 && i <= n && j <= n)
                a[i][j] = (op == 'a') * a[i][j] + v;
            continue;
        case 't':
            for (i = 1; i <= n; i++)
                for (j = i + 1; j <= n; j++) {
                    v = a[i][j];
                    a[i][j] = a[j][i];
                    a[j][i] = v;
                }
            continue;
        case 'm':
            for (i = 1; i <= n; i++) {
                for (v = 0, j = n; j; j--)
                    v += j * a[i][j];
                printf(i == n ? "%d\n" : "%d ", v);
            }
            continue;
        case 'r':
            scanf("%d", &from);
            to = from;
        }
        for (rows = from; rows <= to && rows >= 1 && rows <= n; rows++) {
            printf("%d:", rows);
            for (j = 1; j <= n; j++)
                if (a[rows][j] != 0)
                    printf(" %d@%d", a[rows][j], j);
            puts("");
        }
        if (op == '.')
            return 0;
    }
}

#include <stdio.h>
#include <string.h>

/* a table of distances that is computed anew (Floyd) before every question */

#define FAR 1000

int d[128][128], road[128][128];

void floyd(void)
{
    for (int i = 'A'; i <= 'Z'; i++)
        for (int j = 'A'; j <= 'Z'; j++)
            d[i][j] = i == j ? 0 : road[i][j] ? 1 : FAR;
    for (int k = 'A'; k <= 'Z'; k++)
        for (int i = 'A'; i <= 'Z'; i++)
            for (int j = 'A'; j <= 'Z'; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
}

int main(void)
{
    char a, op, b;
    while (scanf(" %c%c", &a, &op) == 2) {
        if (op == '*') {
            int count = 0;
            floyd();
            printf("from %c:", a);
            for (int s = 'A'; s <= 'Z'; s++)
                if (s != a && d[(int)a][s] < FAR) {
                    printf(" %c", s);
                    count++;
                }
            printf(" (%d)\n", count);
            continue;
        }
        scanf("%c", &b);
        if (op == '-') {
            road[(int)a][(int)b] = road[(int)b][(int)a] = 1;
            continue;
        }
        floyd();
        int here = a, goal = b;
        if (d[here][goal] >= FAR) {
            printf("%c to %c: no way\n", a, b);
            continue;
        }
        printf("%c to %c: %d: %c", a, b, d[here][goal], a);
        while (here != goal) {
            int next = 'A';
            while (!road[here][next] || d[next][goal] + 1 != d[here][goal])
                next++;
            here = next;
            if (here != goal)
                printf(" %c", here);
        }
        if (a != b)
            printf(" %c", b);
        printf("\n");
    }
    return 0;
}

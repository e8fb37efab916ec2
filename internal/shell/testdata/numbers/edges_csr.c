// link 4
#include <stdio.h>
#define MAX 16
static int head[MAX], to[MAX], next[MAX], edges;
static void link(int a, int b)
{
    to[edges] = b;
    next[edges] = edges - 1; //! next[edges] = head[a];
    head[a] = edges++;
}
int main(void)
{
    for (int i = 0; i < MAX; i++)
        head[i] = -1;
    link(0, 1);
    link(0, 2);
    link(1, 2);
    link(2, 0);
#ifdef HELD
    link(0, 3);
    link(1, 3);
    link(3, 2);
#endif
    for (int v = 0; v < 4; v++) {
        printf("%d:", v);
        for (int e = head[v], n = 0; e >= 0 && n < 9; e = next[e], n++)
            printf(" %d", to[e]);
        printf("\n");
    }
    return 0;
}

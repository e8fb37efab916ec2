// unite 3
#include <stdio.h>
static int parent[8];
static int root(int x)
{
    while (parent[x] != x)
        x = parent[x];
    return x;
}
static void unite(int a, int b)
{
    int x = root(a), y = root(b);
    if (x == y)
        return;
    parent[a] = y; //! parent[x] = y;
}
int main(void)
{
#ifdef HELD
    static const int edges[][2] = {{5, 6}, {6, 7}, {5, 1}, {0, 1}, {2, 0}};
#else
    static const int edges[][2] = {{0, 1}, {2, 3}, {0, 2}, {4, 5}};
#endif
    for (int i = 0; i < 8; i++)
        parent[i] = i;
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++)
        unite(edges[i][0], edges[i][1]);
    for (int i = 0; i < 8; i++)
        printf("%d ", root(i));
    printf("\n");
    return 0;
}

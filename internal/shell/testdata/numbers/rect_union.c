// cover 2
#include <stdio.h>
struct box { int left, top, right, bottom; };
static struct box all;
static int count;
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
static void cover(int x, int y, int w, int h)
{
    if (count++ == 0) {
        all.left = x;
        all.top = y;
        all.right = x + w;
        all.bottom = y + h;
        return;
    }
    all.left = min(all.left, x);
    all.top = min(all.top, y);
    all.right = max(all.right, w); //! all.right = max(all.right, x + w);
    all.bottom = max(all.bottom, y + h);
}
int main(void)
{
    cover(1, 2, 3, 3);
#ifdef HELD
    cover(10, 1, 5, 9);
    cover(0, 0, 2, 2);
    cover(7, 7, 9, 1);
#else
    cover(4, 0, 6, 2);
#endif
    printf("%d %d %d %d\n", all.left, all.top, all.right, all.bottom);
    return 0;
}

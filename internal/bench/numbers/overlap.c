/* The area in which two rectangles overlap. */
#include <stdio.h>

struct rect {
    int left;
    int top;
    int right;
    int bottom;
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static struct rect common(struct rect a, struct rect b)
{
    struct rect r;
    r.left = larger(a.left, b.left);
    r.top = larger(a.top, b.top);
    r.right = smaller(a.right, b.right);
    r.bottom = smaller(a.bottom, b.bottom);
    return r;
}

int overlap(int ax, int ay, int bx, int by, int width, int height)
{
    struct rect a = {ax, ay, ax + width, ay + height};
    struct rect b = {bx, by, bx + width, by + height};
    struct rect c = common(a, b);
    int w = c.right - c.left;
    int h = c.bottom - c.top;
    if (w <= 0 || h <= 0)
        return 0;
    return w * h;
}

int main(void)
{
    printf("%d %d\n", overlap(0, 0, 2, 1, 4, 3), overlap(0, 0, 9, 9, 4, 3));
    return 0;
}

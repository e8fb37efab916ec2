// join 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rope { int len; struct rope *left, *right; const char *text; };
static struct rope *leaf(const char *s)
{
    struct rope *r = calloc(1, sizeof *r);
    r->text = s;
    r->len = strlen(s);
    return r;
}
static struct rope *join(struct rope *a, struct rope *b)
{
    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    struct rope *r = calloc(1, sizeof *r);
    r->left = a;
    r->right = b;
    r->len = a->len; //! r->len = a->len + b->len;
    return r;
}
static char at(struct rope *r, int i)
{
    while (r->text == NULL) {
        if (i < r->left->len) {
            r = r->left;
        } else {
            i -= r->left->len;
            r = r->right;
        }
    }
    return r->text[i];
}
static void run(const char **a, int n)
{
    struct rope *r = NULL;
    for (int i = 0; i < n; i++)
        r = join(r, leaf(a[i]));
    printf("%d ", r->len);
    for (int i = 0; i < r->len; i++)
        putchar(at(r, i));
    printf("\n");
}
int main(void)
{
#ifdef HELD
    static const char *a[] = {"to", "", "be", " or", " not"};
#else
    static const char *a[] = {"ab", "cde", "f"};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

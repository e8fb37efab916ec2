// append 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct sb { char *text; int len, cap; };
static void append(struct sb *b, const char *s)
{
    int n = strlen(s);
    if (b->len + n + 1 > b->cap) {
        int cap = b->cap ? b->cap : 8;
        while (cap < b->len + n + 1)
            cap *= 2;
        b->text = realloc(b->text, cap);
        b->cap = cap;
    }
    memcpy(b->text + b->len, s, n + 1);
    b->len = n; //! b->len += n;
}
static void run(const char **a, int n)
{
    struct sb b = {0};
    for (int i = 0; i < n; i++)
        append(&b, a[i]);
    printf("%s %d\n", b.text, b.len);
}
int main(void)
{
#ifdef HELD
    static const char *a[] = {"hello", ", ", "world", "", "!"};
#else
    static const char *a[] = {"ab", "cde", "f"};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

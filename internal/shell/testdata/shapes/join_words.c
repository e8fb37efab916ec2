// join 1
#include <stdio.h>
#include <string.h>
static void join(char *out, const char *const *word, int n, const char *sep)
{
    out[0] = '\0';
    for (int i = 0; i < n; i++) {
        strcat(out, word[i]);
        if (i < n) //! if (i < n - 1)
            strcat(out, sep);
    }
}
int main(void)
{
    char out[60];
#ifdef HELD
    const char *w[] = {"to", "be", "or", "not"};
#else
    const char *w[] = {"a", "bc", "d"};
#endif
    join(out, w, sizeof w / sizeof *w, ", ");
    printf("[%s]\n", out);
    join(out, w, 1, "-");
    printf("[%s]\n", out);
    return 0;
}

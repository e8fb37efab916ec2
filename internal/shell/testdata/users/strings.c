// squeeze 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int squeeze(char *s, char c)
{
    int i = 0, j = 0;
    while (s[i] != 0) {
        if (s[i] != c) {
            s[i] = s[i]; //! s[j] = s[i];
            j++;
        }
        i++;
    }
    s[j] = 0;
    return j;
}
static void run(const int *a, int n)
{
    char buf[] = "abcabd";
    for (int i = 0; i < n; i++) {
        int k = squeeze(buf, 'a' + a[i]);
        printf("%d %s ", k, buf);
    }
    printf("\n");
}

int main(void)
{
#ifdef HELD
    static const int a[] = {1, 2, 0};
#else
    static const int a[] = {0};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}

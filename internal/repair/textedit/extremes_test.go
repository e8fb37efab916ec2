package textedit_test

import "testing"

// TestExtremes corrects what a search for the least or the greatest value begins with.
func TestExtremes(t *testing.T) {
	const least = `int main(int c, char **v)
{
    int n = c - 1, a[20], best = 2147483647, at = -1;
    for (int i = 0; i < n; i++)
        a[i] = atoi(v[i + 1]);
    for (int i = 0; i < n; i++)
        if (a[i] % 2 == 0 && a[i] < best) {
            best = a[i];
            at = i;
        }
    printf("%d %d\n", best, at);
    return 0;
}
`
	const greatest = `#include <limits.h>
int main(int c, char **v)
{
    int n = c - 1, a[20], best;
    for (int i = 0; i < n; i++)
        a[i] = atoi(v[i + 1]);
    best = a[0];
    for (int i = 0; i < n; i++)
        if (best < a[i])
            best = a[i];
    printf("%d\n", best);
    return 0;
}
`
	repairs(t, []mistake{
		{"nothing is less than 0", least, "best = 2147483647", "best = 0", "4 6|8 2|3 9|7 12 10", "100 200|5 1000 400"},
		{"all are less than 0", greatest, "best = a[0]", "best = 0", "-4 -6|-8 -2|3 9|7 -12 10", "-100 -200|-5|-70000"},
	})
}

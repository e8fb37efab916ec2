package judge

import (
	"strings"
	"testing"

	"gulo/internal/lower/lowertest"
)

// TestVacant finds the conditions that an edit decides, and no others.
func TestVacant(t *testing.T) {
	const program = `#include <stdio.h>
#include <string.h>
int main(void)
{
    int n = 0, k, s = 0;
    scanf("%d", &n);
    for (int i = 0; i < 4; i++)
        s += i;
    for (k = 1; k <= n; k++)
        s += k;
    while (s > 9)
        s -= 9;
    if (n == 3)
        s = 0;
    printf("%d\n", s);
    return 0;
}
`
	for _, x := range []struct{ old, now, want string }{
		{"i < 4", "i > 4", "no run enters the loop of main with i > 4, which is 0 > 4 at its beginning"},
		{"i = 0; i", "i = 4; i", "no run enters the loop of main with i < 4, which is 4 < 4 at its beginning"},
		{"i < 4", "i < 3", ""},
		{"k <= n", "k <= 0", "no run enters the loop of main with k <= 0, which is 1 <= 0 at its beginning"},
		{"k = 1", "k = n", ""},
		{"s > 9", "0", "no run enters the loop of main with 0"},
		{"s > 9", "1", ""},
		{"n == 3", "1", "the condition 1 of main is always true"},
		{"n == 3", "n == 4", ""},
		{"n == 3", "n == n", "n == n of main compares something with itself"},
		{"n == 3", "strcmp(\"a\", \"a\")", "strcmp(\"a\", \"a\") of main compares something with itself"},
		{"    printf(\"%d\\n\", s);\n    return 0;\n", "    return 0;\n    printf(\"%d\\n\", s);\n", "printf(\"%d\\n\", s); of main is never executed"},
		{"n == 3", "getchar() == getchar()", ""},
	} {
		own, _ := lowertest.Load(t, program)
		now, _ := lowertest.Load(t, strings.Replace(program, x.old, x.now, 1))
		if got := Vacant(own.Tree, now.Tree); got != x.want {
			t.Errorf("%s for %s: %q, want %q", x.now, x.old, got, x.want)
		}
		if got := Vacant(now.Tree, now.Tree); got != "" {
			t.Errorf("%s: the program itself is said to have it anew: %q", x.now, got)
		}
	}
}

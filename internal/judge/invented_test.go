package judge

import (
	"strings"
	"testing"

	"gulo/internal/lower/lowertest"
)

// TestInvented: a constant is made up where the program computes, and not where something begins with one.
func TestInvented(t *testing.T) {
	const program = `#include <stdio.h>
struct pair { int x; int n; };
static int full(int n)
{
    if (n > 3)
        return 1;
    return 0;
}
static int degrees(int f, int *out)
{
    if (f < 0)
        return 1;
    *out = (f - 32) * 5 / 9;
    return 1;
}
int main(void)
{
    int c;
    int sum;
    int top;
    int found;
    int room;
    struct pair p;
    degrees(40, &c);
    for (int i = 0; i < 3; i++) {
        sum += c;
        p.n++;
        if (c > top)
            top = c;
        if (c == 4)
            found = 1;
        p.x = sum * 2;
        if (i == 1)
            room = full(sum);
        if (room)
            p.n = 0;
    }
    printf("%d %d %d %d %d %d\n", c, sum, top, found, p.x, p.n);
    return 0;
}
`
	own, _ := lowertest.Load(t, program)
	for _, x := range []struct{ old, now, want string }{
		{"int c;", "int c = 0;", "c = 0"},
		{"int sum;", "int sum = 0;", ""},
		{"int top;", "int top = 0;", ""},
		{"int found;", "int found = 0;", ""},
		{"int room;", "int room = 1;", ""},
		{"    degrees(40", "    p.x = 1;\n    degrees(40", "p.x = 1"},
		{"    degrees(40", "    p.n = 0;\n    degrees(40", ""},
		{"int c;", "int c = getchar();", ""},
	} {
		now, _ := lowertest.Load(t, strings.Replace(program, x.old, x.now, 1))
		if got := madeUpNumber(own.Tree, now.Tree); got != x.want {
			t.Errorf("%s for %s: %q, want %q", x.now, x.old, got, x.want)
		}
	}
}

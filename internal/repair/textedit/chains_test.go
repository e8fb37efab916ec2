package textedit

import (
	"slices"
	"strings"
	"testing"
)

// TestChains lists all comparisons of a chain changed alike, from its head only, those of one
// condition, and what a condition that stands twice may have been.
func TestChains(t *testing.T) {
	const text = `#include <stdio.h>
int main(void)
{
    int a, b, c;
    if (scanf("%d%d%d", &a, &b, &c) != 3)
        return 1;
    if (a < b && a < c)
        printf("%d\n", a);
    else if (b < a && b < c)
        printf("%d\n", b);
    else if (c < a && c < b)
        printf("%d\n", c);
    if ((a <= b && a >= c) || (a <= b && a >= c))
        printf("middle\n");
    return 0;
}
`
	all := listed(t, text)
	of := func(what string) (out []string) {
		for _, e := range all {
			if strings.Contains(e.What, what) {
				texts, ok := Apply(e)
				if !ok {
					t.Fatal(e.Alt)
				}
				for _, x := range texts {
					out = append(out, x)
				}
			}
		}
		return out
	}
	chain := of("in all conditions of the chain")
	if len(chain) != 2 || !strings.Contains(chain[0], "a <= b && a <= c)") || !strings.Contains(chain[0], "b <= a && b <= c)") || !strings.Contains(chain[0], "c <= a && c <= b)") {
		t.Errorf("chain: %d\n%s", len(chain), strings.Join(chain, "\n"))
	}
	one := of("in all that are alike")
	has := func(list []string, want string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, want) })
	}
	if !has(one, "(b <= a && b <= c)") || !has(one, "((a < b && a > c) || (a < b && a > c))") {
		t.Errorf("one condition:\n%s", strings.Join(one, "\n"))
	}
	twin := of("the same condition stands twice")
	if !has(twin, "(a <= b && a >= c) || (a >= b && a <= c)") || !has(twin, "(a <= b && a >= c) || (a <= c && a >= b)") {
		t.Errorf("twice:\n%s", strings.Join(twin, "\n"))
	}
}

// TestOrder: variables that are read in the order in which they were declared, or in that of the
// alphabet, are so on purpose.
func TestOrder(t *testing.T) {
	const file = "int low, mid, high, a, b;\n"
	for _, x := range []struct {
		text string
		in   bool
	}{
		{`scanf("%d %d", &a, &b);`, true}, {`scanf("%d %d", &b, &a);`, false}, {`scanf("%d", &a);`, false}, {`printf("%d %d", a, b);`, false},
		{`scanf("%d%d%d", &low, &mid, &high);`, true}, {`scanf("%d%d%d", &mid, &low, &high);`, false},
	} {
		if inOrder(x.text, []byte(file)) != x.in {
			t.Error(x.text)
		}
	}
}

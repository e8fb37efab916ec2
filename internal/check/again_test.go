package check

import "testing"

// The machine's chain replaces the native one where it knows more.
func TestFurther(t *testing.T) {
	chain := func(lines ...int) (out []Step) {
		for _, l := range lines {
			out = append(out, Step{File: "a.c", Line: l})
		}
		return out
	}
	for _, c := range []struct {
		what string
		a, b []Step
		want bool
	}{
		{"nothing is known", nil, chain(3), false},
		{"nothing was known", chain(3), nil, true},
		{"the same lines, one twice", chain(9, 3), chain(9, 3, 3), false},
		{"a beginning that the other has not", chain(9, 2), chain(9, 7, 3), true},
		{"a line between, the same beginning", chain(9, 5, 3), chain(9, 3), true},
		{"less, the same beginning", chain(9, 3), chain(9, 5, 3), false},
	} {
		if got := further(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

func TestSameLeak(t *testing.T) {
	of := func(blocks int64, line int, call int) *Finding {
		return &Finding{Rule: "definite_leak", Blocks: blocks, Bytes: 8 * blocks, Made: &Step{File: "a.c", Line: line}, MadeCalls: []Step{{File: "a.c", Line: call}}}
	}
	other := of(2, 5, 20)
	other.Rule = "indirect_leak"
	for _, c := range []struct {
		what string
		a, b *Finding
		want bool
	}{
		{"equal", of(2, 5, 20), of(2, 5, 20), true},
		{"natively one block is still held", of(1, 5, 20), of(2, 5, 20), true},
		{"made elsewhere", of(2, 5, 20), of(2, 6, 20), false},
		{"made for another caller", of(2, 5, 20), of(2, 5, 21), false},
		{"another rule", of(2, 5, 20), other, false},
		{"no leak", &Finding{Rule: "definite_leak"}, of(2, 5, 20), false},
	} {
		if got := sameLeak(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

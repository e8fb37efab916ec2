package cfront

import (
	"slices"
	"testing"
)

// TestMacroArguments: where the arguments of a macro's use stand.
func TestMacroArguments(t *testing.T) {
	for _, c := range []struct {
		use  string
		want []string
	}{
		{"ALIGN(n)", []string{"n"}},
		{"PUT( &q->idle , f(a, b), link)", []string{"&q->idle", "f(a, b)", "link"}},
		{`SAY("a, (b", ')')`, []string{`"a, (b"`, "')'"}},
		{"f(a) + g(b)", nil},
		{"n", nil},
		{"(a)", nil},
	} {
		var got []string
		for _, a := range MacroArguments(c.use) {
			got = append(got, c.use[a[0]:a[1]])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.use, got, c.want)
		}
	}
}

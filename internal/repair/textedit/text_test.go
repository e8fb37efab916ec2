package textedit

import (
	"slices"
	"testing"
)

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"a;\n  b; // c \"\n  d;": "a;   b;    d;",
		"s = \"//\"; /* x */ y":  "s = \"//\";   y",
		"c = '\"'; // \"":        "c = '\"';  ",
	} {
		if got, ok := OneLine(in); !ok || got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if _, ok := OneLine("a\n#if X\nb\n#endif"); ok {
		t.Error("a directive can be no alternative")
	}
}

func TestInstead(t *testing.T) {
	for _, x := range []struct{ got, want, piece, with string }{
		{"Sum 4\n", "Sum: 4\n", "Sum ", "Sum: "},
		{"a 1b 2", "a 1\nb 2\n", "", ""},
		{"total 3 items", "total 3 pieces\n", " items", " pieces\n"},
	} {
		p := Printed{x.got, x.want}
		if x.piece != "" && !slices.Contains(p.instead(x.piece, true), x.with) {
			t.Errorf("%q for %q: %q", x.got, x.want, p.instead(x.piece, true))
		}
	}
}

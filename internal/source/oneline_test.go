package source

import "testing"

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"  x =\n\t f(a,   b) ;":                "x = f(a, b) ;",
		`struct s o = { 1,  "two  of   it" };`: `struct s o = { 1, "two  of   it" };`,
		`if (c  ==  '\''   &&  d)`:             `if (c == '\'' && d)`,
		`p =  "a \"  b"  ;`:                    `p = "a \"  b" ;`,
		`c =  ' '  ;`:                          `c = ' ' ;`,
		"it's  open\n  and   closed":           "it's  open and closed",
	} {
		if got := OneLine(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

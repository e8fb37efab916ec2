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

func TestSqueeze(t *testing.T) {
	for in, want := range map[string]string{
		"  x =\n\t f(a,   b) ;":     "x=f(a,b);",
		`printf( "a  %d ", b )`:     `printf("a  %d ",b)`,
		"unsigned   int x = a - -b": "unsigned int x=a- -b",
		"a & &b || c / *p":          "a& &b||c/ *p",
		`c ==  ' '`:                 `c==' '`,
	} {
		got := Squeeze(in)
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
		if again := Squeeze(got); again != got {
			t.Errorf("%q is %q the second time", got, again)
		}
	}
}

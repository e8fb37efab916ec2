package cfront

import (
	"strings"
	"testing"

	"gulo/internal/source"
)

func TestNesting(t *testing.T) {
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	tests := []struct{ name, text, want string }{
		{"parentheses", "int x =\n  " + many("(", 100000) + "1" + many(")", 100000) + ";\n", "p.c:2:1003: error: brackets nested deeper than 1000 levels are not supported"},
		{"blocks", "int main(void) " + many("{", 1001) + many("}", 1001), "p.c:1:1016: error: brackets nested"},
		{"mixed", "int x = " + many("a[f({", 400) + "1" + many("})]", 400) + ";\n", "brackets nested deeper"},
		{"not too deep", "int x = " + many("(", 1000) + "1" + many(")", 1000) + ";\n", ""},
		{"one after the other", many("int f(void) { return (1); }\n", 2000), ""},
		{"literals and comments", "char *s = \"" + many("(", 2000) + "\\\"" + many("{", 2000) + "\"; // " + many("(", 2000) + "\n/*" + many("[", 2000) + "*/ int c = '(';\n", ""},
		{"comment without end", "int x; /* (((", ""},
		{"assignments", "int f(int x) { return " + many("x = ", 1001) + "x; }\n", "p.c:1:4025: error: more than 1000 assignments in one expression"},
		{"comparisons", "int f(int x) { return " + many("x != 1 && x == 2 && x <= 3 && x >= 4 && ", 1000) + "x; }\n", ""},
		{"initializers", "int a[] = {" + many("[1] = 2, ", 3000) + "};\n", ""},
		{"macros", many("#define A(x) y = x\n", 3000), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := checkNesting(source.NewFile("p.c", []byte(tt.text))); err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

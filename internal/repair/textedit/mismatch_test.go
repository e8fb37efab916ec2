package textedit

import (
	"testing"

	"gulo/internal/native/nativetest"
)

// TestMismatched counts conversions that print another kind of number than there is.
func TestMismatched(t *testing.T) {
	for _, x := range []struct {
		text string
		want int
	}{
		{`printf("%d %f\n", i, d);`, 0},
		{`printf("%f\n", i);`, 1},
		{`printf("%d %5.2f %%\n", d, i);`, 2},
		{`printf("%*d %f\n", i, i, d);`, 0},
		{`printf("%.*f %d\n", i, d, i);`, 0},
		{`printf("%*.*f\n", i, i, i);`, 1},
		{`printf("%f\n", i / 2.0); printf("%f\n", i / 2);`, 1},
		{`printf("%s %c %ld %f\n", "a", i, (long)i, f);`, 0},
		{`printf("%d %d\n", i);`, 0},
	} {
		p, _ := nativetest.Load(t, "#include <stdio.h>\nint main(void)\n{\n\tint i = 3;\n\tdouble d = 1;\n\tfloat f = 2;\n\t"+x.text+"\n\treturn (int)(i + d + f);\n}\n")
		if got := Mismatched(nativetest.Own(p)); got != x.want {
			t.Errorf("%s: %d", x.text, got)
		}
	}
}

// TestDeclarators finds those of a declaration.
func TestDeclarators(t *testing.T) {
	for _, x := range []struct {
		text string
		want []string
	}{
		{"a, b = 0, c[3];", []string{"a", "b = 0", "c[3]"}},
		{"a = f(1, 2),\n\tb;", []string{"a = f(1, 2)", "b"}},
		{"v[2] = {1, 2}, x;", []string{"v[2] = {1, 2}", "x"}},
		{"a = ',', b;", nil},
		{"a, /* , */ b;", nil},
		{"a, b", nil},
	} {
		parts, end := declarators(x.text, 0)
		if len(parts) != len(x.want) || len(parts) > 0 && x.text[end] != ';' {
			t.Errorf("%q: %v, %d", x.text, parts, end)
			continue
		}
		for i, p := range parts {
			if got := x.text[p[0]:p[1]]; got != x.want[i] {
				t.Errorf("%q: %q", x.text, got)
			}
		}
	}
}

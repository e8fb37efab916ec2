package cfront

import "testing"

// TestDeclaresOnly: of a file that cannot be read only texts are known.
func TestDeclaresOnly(t *testing.T) {
	for text, want := range map[string]bool{
		"int i;": true, "struct wire *w;": true, "unsigned long a, *b;": true, "char*p;": true, "static int n;": true,
		"return x;": false, "goto out;": false, "a * b = c;": false, "int i = 0;": false, "int a[n];": false, "f(x);": false, "x;": false, "i++;": false,
	} {
		if declaresOnly(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

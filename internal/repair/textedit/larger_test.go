package textedit

import (
	"slices"
	"testing"

	"gulo/internal/native/nativetest"
)

// TestLarger lists longer arrays: one, in each of its dimensions, all of one length, with an initializer, and at file
// scope.
func TestLarger(t *testing.T) {
	p, _ := nativetest.Load(t, `char all[5], rows[4][7];
int f(void)
{
    char s[21], t[21];
    int n[3] = {0}, k;
    s[0] = t[0] = all[0] = rows[0][0];
    k = n[0];
    return k;
}
`)
	var got []string
	for _, e := range (&New(Config{Tree: p}).facts).larger(p.Funcs) {
		texts, ok := Apply(e)
		if !ok {
			t.Fatalf("%v cannot be applied", e)
		}
		for _, text := range texts {
			got = append(got, firstLines(text, 5))
		}
	}
	for _, want := range []string{
		"char all[5], rows[4][7];\nint f(void)\n{\n    char s[22], t[21];\n    int n[3] = {0}, k;",
		"char all[5], rows[4][7];\nint f(void)\n{\n    char s[1000], t[1000];\n    int n[3] = {0}, k;",
		"char all[5], rows[4][7];\nint f(void)\n{\n    char s[21], t[21];\n    int n[4] = {0}, k;",
		"char all[6], rows[4][7];\nint f(void)\n{\n    char s[21], t[21];\n    int n[3] = {0}, k;",
		"char all[5], rows[5][7];\nint f(void)\n{\n    char s[21], t[21];\n    int n[3] = {0}, k;",
		"char all[5], rows[4][8];\nint f(void)\n{\n    char s[21], t[21];\n    int n[3] = {0}, k;",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not listed", want)
		}
	}
	if len(got) != 14 { // two sizes of six lengths, and of the two that are alike
		t.Errorf("%d edits: %q", len(got), got)
	}
}

// firstLines returns the first n lines of a text, without the newline of the last.
func firstLines(text string, n int) string {
	for i := range text {
		if text[i] == '\n' {
			if n--; n == 0 {
				return text[:i]
			}
		}
	}
	return text
}

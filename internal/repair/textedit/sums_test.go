package textedit

import (
	"slices"
	"strings"
	"testing"

	"gulo/internal/native/nativetest"
)

// TestSums: one more of a term of a sum that has a number already is the number's edit, and is listed once.
func TestSums(t *testing.T) {
	const program = `static int rows[9];
static int below(int n, int at)
{
	return (n - at) - 1;
}
static int both(int n, int at)
{
	return n - at;
}
int main(void) { return below(rows[0], rows[1]) + both(rows[2], rows[3]); }
`
	tree, _ := nativetest.Load(t, program)
	made := func(name string) (alts []string) {
		sp := New(Config{Tree: tree})
		sp.Function(tree.Func(name))
		for _, st := range sp.Sites {
			for _, e := range st.Edits {
				if e.What == "one more" || e.What == "one less" || e.What == "one operand" {
					alts = append(alts, e.What+": "+strings.Trim(strings.Join(strings.Fields(e.Alt), " "), "()"))
				}
			}
		}
		return alts
	}
	if got, want := made("below"), []string{"one operand: n - at", "one operand: 1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := made("both"); !slices.Contains(got, "one more: n - at + 1") || !slices.Contains(got, "one less: at - 1") {
		t.Errorf("one more or one less is missing in %q", got)
	}
}

package textedit

import (
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// TestNoResult lists no edit with which a function ends without a result: what it returns then is
// right by chance at most.
func TestNoResult(t *testing.T) {
	f := source.NewFile("prog.c", []byte(`static int depth(int l, int r)
{
    if (l > r)
        l = r;
    if (l < 0) {
        return r;
    } else
        return l > r ? l + 1 : r + 1;
}
static int early(int l, int r)
{
    if (l > r)
        return l;
    r++;
    return r;
}
int main(void)
{
    return depth(1, 2) + early(1, 2);
}
`))
	tree, err := cfront.Parse([]*source.File{f}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Tree: tree})
	for _, fn := range tree.Funcs {
		s.Function(fn)
	}
	guarded := false
	for _, st := range s.Sites {
		for _, e := range st.Edits {
			line := f.Position(st.Start).Line
			last := line == 6 || line == 8 || line == 15
			shown := strings.Join(strings.Fields(e.Alt), " ")
			if st.Kind == Statement && last && e.Cost < HalfCost && (shown == "" || strings.HasPrefix(shown, "if (")) {
				t.Errorf("line %d: %q is listed: the function ends without a result", line, shown)
			}
			guarded = guarded || st.Kind == Statement && line == 13 && shown == ""
		}
	}
	if !guarded {
		t.Error("a return that is not the last is not deleted")
	}
}

package schema

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
	s := &space{tree: tree, free: func(*source.File, int) bool { return true }, sites: map[siteKey]*site{}, seen: map[string]*Edit{}, hints: &hints{}, donors: map[*cfront.Func]*donors{}}
	for _, fn := range tree.Funcs {
		s.function(fn)
	}
	guarded := false
	for _, st := range s.order {
		for _, e := range st.edits {
			line := f.Position(st.start).Line
			last := line == 6 || line == 8 || line == 15
			shown := strings.Join(strings.Fields(e.alt), " ")
			if st.kind == statement && last && e.Cost < alone && (shown == "" || strings.HasPrefix(shown, "if (")) {
				t.Errorf("line %d: %q is listed: the function ends without a result", line, shown)
			}
			guarded = guarded || st.kind == statement && line == 13 && shown == ""
		}
	}
	if !guarded {
		t.Error("a return that is not the last is not deleted")
	}
}

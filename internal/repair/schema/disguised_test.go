package schema

import (
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// TestDisguised: what does the same as the deletion of its statement comes behind that; what does something
// else, what stands elsewhere and what nothing shows do not.
func TestDisguised(t *testing.T) {
	f := source.NewFile("a.c", []byte("{ n = 0; m = 1; }"))
	fn := &cfront.Func{}
	edit := func(kind textedit.Kind, cost int, old, text string) waiting {
		at := strings.Index(string(f.Text), old)
		st := &textedit.Site{Kind: kind, File: f, Start: at, End: at + len(old), Func: fn}
		e := &textedit.Edit{Cost: cost, Func: fn, Site: st, Alt: text, Changes: []textedit.Change{{File: f, Start: at, End: at + len(old), Text: text}}}
		return waiting{Repair: Repair{Edits: []*textedit.Edit{e}, Cost: cost}}
	}
	list := []waiting{
		edit(textedit.Value, 4, "0", "n"),
		edit(textedit.Statement, 6, "n = 0;", ""),
		edit(textedit.Value, 4, "n = 0", "n == 0"),
		edit(textedit.Value, 4, "1", "m"),
	}
	groups := map[job]uint64{}
	for i, g := range []uint64{7, 7, 8, 7} {
		list[i].job = job{g: i + 1}
		groups[list[i].job] = g
	}
	before := func(a, b int) bool { return list[a].score() < list[b].score() }
	disguised(list, groups)
	if before(0, 1) || !before(2, 1) || !before(3, 1) {
		t.Errorf("scores %d, %d, %d, %d", list[0].score(), list[1].score(), list[2].score(), list[3].score())
	}
	list[0].odd, list[1].unseen = 0, true
	disguised(list, groups)
	if !before(0, 1) {
		t.Error("nothing shows the deletion, and it comes first")
	}
}

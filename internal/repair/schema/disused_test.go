package schema

import (
	"os"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// TestDisused keeps a partition in use: with lo - hi every range is sorted by insertion, which meets
// all tests and costs less than what is meant.
func TestDisused(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("../../bench/outside/fresh/flag_sort/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	got := chosen(t, read("faulty.c"), read("right.c"),
		args("ann=3 bob=5", "ann=3 bob=9 cid=6", "ann=9 bob=8 cid=7 dan=6 eve=5", "ann=1 bob=2 cid=3 dan=4 eve=5 flo=6",
			"ann=4 bob=1 cid=9 dan=2 eve=7 flo=3 gus=8", "ann=5 bob=5 cid=5 dan=5", "-u ann=3 ann=3 bob=1", "ann bob=2"),
		args("ann=3 bob=4", "ann=1 bob=2 cid=3 dan=4", "bob=2 ann=2", "ann=7 bob=8 cid=6 dan=9 eve=5", "-u ann=3 bob=3 cid=3 dan=3", "eve=1", "ann=2 cid", "dan=4 cid=3"))
	if !strings.Contains(got, "if (hi - lo < 3) {") {
		t.Errorf("the partition is out of use:\n%s", got)
	}
}

// TestByChance counts behaviours of edits of one statement: three of arithmetic are chance, two are
// not, nor are those of a condition.
func TestByChance(t *testing.T) {
	f := source.NewFile("a.c", []byte("{ seed ^= seed << 13; n = n + 1; if (a < b) c = 0; }"))
	edit := func(what, old string) []*textedit.Edit {
		at := strings.Index(string(f.Text), old)
		return []*textedit.Edit{{What: what, Func: &cfront.Func{}, Changes: []textedit.Change{{File: f, Start: at, End: at + len(old), Text: "x"}}}}
	}
	list := []waiting{
		{Repair: Repair{Edits: edit("another operator", "^=")}},
		{Repair: Repair{Edits: edit("another operator", "<<")}},
		{Repair: Repair{Edits: edit(textedit.AnotherConstant, "13")}},
		{Repair: Repair{Edits: edit("another operator", "n + 1")}},
		{Repair: Repair{Edits: edit(textedit.AnotherConstant, "1;")}},
		{Repair: Repair{Edits: edit("another comparison", "a < b")}},
		{Repair: Repair{Edits: edit("and", "a < b")}},
		{Repair: Repair{Edits: edit("or", "a < b")}},
	}
	groups := map[job]uint64{}
	for i := range list {
		list[i].job = job{g: i + 1}
		groups[list[i].job] = uint64(i)
	}
	marked := func() (out []bool) {
		for i := range list {
			out, list[i].odd = append(out, list[i].odd > 0), 0
		}
		return out
	}
	byChance(list, groups)
	if got := marked(); !slices.Equal(got, []bool{true, true, true, false, false, false, false, false}) {
		t.Errorf("by chance: %v", got)
	}
	groups[list[1].job] = groups[list[0].job]
	byChance(list, groups)
	if got := marked(); slices.Contains(got, true) {
		t.Errorf("two behaviours are chance: %v", got)
	}
}

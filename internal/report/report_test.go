package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower/lowertest"
	"gulo/internal/repair"
)

// TestKeeps changes random lines of random texts: what keeps a line is a text in which the
// line still stands, and a change in place of it keeps it never.
func TestKeeps(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 9))
		var before []string
		for i := range 3 + r.IntN(8) {
			before = append(before, fmt.Sprintf("line %d\n", i+1))
		}
		after := append([]string(nil), before...)
		at := r.IntN(len(after))
		locked := 1 + r.IntN(len(before))
		want := true
		switch r.IntN(3) {
		case 0: // another line
			after[at] = "other\n"
			want = locked != at+1
		case 1: // no line
			after = append(after[:at:at], after[at+1:]...)
			want = locked != at+1
		case 2: // a line more
			after = append(append(append([]string(nil), after[:at]...), "new\n"), after[at:]...)
		}
		c := []Change{{"a.c", strings.Join(before, ""), strings.Join(after, "")}}
		if got := Keeps(c, []int{locked}); got != want {
			t.Fatalf("seed %d: line %d is kept: %v\n%q\n%q", seed, locked, got, before, after)
		}
		if !Keeps(c, nil) {
			t.Fatal("nothing is locked")
		}
	}
	if Keeps([]Change{{"a.c", "x\ny", "x\nz"}}, []int{2}) {
		t.Error("the last line has no line break")
	}
}

// TestDescribed: what a repair changes is named as it stands in the program.
func TestDescribed(t *testing.T) {
	p, file := lowertest.Load(t, "int f(int x)\n{\n    if (x > 3)\n        x = 1;\n    return x;\n}\n\nint main(void) { return f(2); }\n")
	s := lowertest.Statement(t, p, "x = 1")
	e := &repair.Edit{Stmt: s.ID, Delete: true}
	if d := EditOf(p, e); d.File != file || d.Line != 4 || !strings.Contains(d.Before, "x = 1") || d.After != "" {
		t.Errorf("%+v", d)
	}
	q, _ := lowertest.Load(t, "int f(int x)\n{\n    int y = 4;\n    return y;\n}\n\nint main(void) { return f(2); }\n")
	for _, text := range []string{"y = 4", "return y"} {
		s := lowertest.Statement(t, q, text)
		e := &repair.Edit{Stmt: s.ID, New: q.Tree.Func("main").Body.List[0].(*cfront.Return).X}
		if d, want := EditOf(q, e), strings.TrimRight(text, "4y")+"f(2)"; strings.TrimSuffix(d.Before, ";") != text || d.After != want {
			t.Errorf("%q becomes %q, not %q", d.Before, d.After, want)
		}
	}
	hints := Hints(p, repair.NewPatch(e))
	if len(hints) < 2 || !strings.Contains(hints[0], "f") || !strings.Contains(strings.Join(hints, "\n"), "line 4") {
		t.Errorf("%q", hints)
	}
	if c := Changes(p, map[string]string{file: string(p.Tree.Files[0].Text), "unknown.c": "x"}); len(c) != 0 {
		t.Errorf("the same text is a change: %+v", c)
	}
	if c := Changes(p, map[string]string{file: "int x;\n"}); len(c) != 1 || c[0].After != "int x;\n" {
		t.Errorf("%+v", c)
	}
}

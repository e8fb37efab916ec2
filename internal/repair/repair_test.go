package repair_test

import (
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/repair"
)

const program = `
int saved, x = 3, y = 5;

int f(int saved2)
{
    if (x > y) {
    }
    x = y;
    for (int i = 0; i < 2; i++) {
        y++;
    }
    return x;
}

int main(void) { return f(1); }
`

// TestExec executes a statement as every kind of edit leaves it.
func TestExec(t *testing.T) {
	p, _ := lowertest.Load(t, program)
	im := &heap.Image{}
	at := map[string]*cfront.Var{}
	for i, v := range p.Tree.Globals {
		o := &heap.Object{Addr: ctype.Word(0x1000 + 16*i), Kind: heap.Global, Live: true, Var: v, Data: make([]byte, 4)}
		im.Add(o)
		at[v.Name] = v
	}
	im.Sort()
	store := func(name string, w ctype.Word) {
		a, _ := im.VarAddr(at[name])
		im.Store(a, ctype.IntT, w)
	}
	store("x", 3)
	store("y", 5)
	assign, cond := lowertest.Statement(t, p, "x = y"), lowertest.Statement(t, p, "x > y")
	ref := func(name string) cfront.Expr { return cfront.NewRef(at[name]) }
	greater := cfront.NewBinary(ctype.Gt, ref("x"), ref("y"))
	less := cfront.NewBinary(ctype.Lt, ref("x"), ref("y"))
	for _, c := range []struct {
		name     string
		s        *lower.Stmt
		e        *repair.Edit
		x, y     ctype.Word
		decision bool
	}{
		{"as it is", assign, nil, 5, 5, false},
		{"another", assign, &repair.Edit{Stmt: assign.ID, New: cfront.NewAssign(ref("y"), ref("x"))}, 3, 3, false},
		{"a guard that holds", assign, &repair.Edit{Stmt: assign.ID, Guard: less}, 5, 5, false},
		{"a guard that does not", assign, &repair.Edit{Stmt: assign.ID, Guard: greater}, 3, 5, false},
		{"deleted", assign, &repair.Edit{Stmt: assign.ID, Delete: true}, 3, 5, false},
		{"a condition", cond, nil, 3, 5, false},
		{"another condition", cond, &repair.Edit{Stmt: cond.ID, New: less}, 3, 5, true},
	} {
		mark := im.Mark()
		d, err := repair.Exec(&eval.World{Heap: im}, c.s, c.e)
		ax, _ := im.VarAddr(at["x"])
		ay, _ := im.VarAddr(at["y"])
		if err != nil || d != c.decision || !im.Holds(ax, ctype.IntT, c.x) || !im.Holds(ay, ctype.IntT, c.y) {
			t.Errorf("%s: %v, %v", c.name, d, err)
		}
		im.Rollback(mark)
	}
}

// TestGaps: code can stand at the offset of every gap, and words name it.
func TestGaps(t *testing.T) {
	p, _ := lowertest.Load(t, program)
	said := map[string]bool{}
	for _, g := range p.Gaps {
		if g == nil || g.Func.Name != "f" {
			continue
		}
		file, off := repair.GapOffset(g)
		if r := g.Block.Range(); file != r.File || off <= r.Start || off >= r.End {
			t.Errorf("gap %d at %v is outside its block", g.ID, file.Position(off))
		}
		pos, what := repair.GapPosition(g)
		if pos.Line == 0 || said[what] {
			t.Errorf("%s at %s: not one place", what, pos)
		}
		said[what] = true
	}
	for _, want := range []string{"before if (x > y)", "into the empty block", "after x = y;", "after the for loop", "before y++;"} {
		if !said[want] {
			t.Errorf("no gap %q in %v", want, said)
		}
	}
}

// TestTemps: a temporary takes no name that is there, is known as one, and is used only
// by edits that mention it.
func TestTemps(t *testing.T) {
	p, _ := lowertest.Load(t, program)
	f := p.Tree.Func("f")
	a := repair.NewTemp(p, f, ctype.IntT, nil)
	b := repair.NewTemp(p, f, ctype.IntT, []*cfront.Var{a})
	if a.Name != "saved3" || b.Name != "saved4" || !repair.IsTemp(a) || repair.IsTemp(f.Params[0]) || repair.IsTemp(p.Tree.Globals[0]) {
		t.Error(a.Name, b.Name)
	}
	im := &heap.Image{}
	repair.AddTemps(im, []*cfront.Var{a, b})
	at, ok := im.VarAddr(b)
	if !ok || at != repair.TempAddr(1) || im.Known(at, 4) || !im.Store(at, ctype.IntT, 7) || !im.Holds(at, ctype.IntT, 7) {
		t.Error("a temporary is memory that was not written yet")
	}
	s := lowertest.Statement(t, p, "x = y")
	pt := repair.NewPatch(&repair.Edit{Gap: 2, New: cfront.NewAssign(cfront.NewRef(b), cfront.NewRef(f.Params[0]))}, &repair.Edit{Stmt: s.ID, Delete: true})
	if l := pt.Temps(); len(l) != 1 || l[0] != b {
		t.Error(l)
	}
	if es := pt.Edits(); len(es) != 2 || es[0].Stmt != s.ID || es[1].Gap != 2 || pt.Empty() || !(*repair.Patch)(nil).Empty() {
		t.Error("edits come in the order of statements, insertions last")
	}
}

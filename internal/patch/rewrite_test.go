package patch

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair"
)

// TestForHead: what begins a for is deleted and guarded inside its head.
func TestForHead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.c")
	const text = "int f(int n)\n{\n    int i, s = 0;\n    for (i = 1; i < n; i++)\n        s += i;\n    return s;\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	var init *lower.Stmt
	for _, s := range p.Stmts {
		if s != nil && s.Kind == lower.Expr && strings.HasPrefix(s.Range.Text(), "i = 1") {
			init = s
		}
	}
	n := cfront.NewRef(tree.Func("f").Params[0])
	for want, e := range map[string]*repair.Edit{
		"for (; i < n; i++)":              {Stmt: init.ID, Delete: true},
		"for ((n > 0) && (i = 1); i < n;": {Stmt: init.ID, Guard: cfront.NewBinary(ctype.Gt, n, cfront.NewConst(ctype.IntT, 0))},
	} {
		texts, err := Rewrite(p, repair.NewPatch(e))
		if err != nil || !strings.Contains(texts[path], want) {
			t.Errorf("%v %s, want %s", err, texts[path], want)
			continue
		}
		if err := os.WriteFile(path+".c", []byte(texts[path]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := cfront.Load(context.Background(), []string{path + ".c"}, cfront.Options{}); err != nil {
			t.Errorf("gcc refuses it: %v", err)
		}
	}
}

// TestShapes: what TestEveryCandidate found. A guard before an else is in braces, another operator is
// written, and nothing is inserted where no statement can be written: between the variables of one
// declaration, and in what a macro makes.
func TestShapes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.c")
	const text = `#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)
#define CHECK(n) if ((n) > 9) n = 9
int f(int n)
{
    int s = n + 1, r = n;
    if (n > 0)
        s = 1; /* few */
    else if (n < 0)
        s += n; // many
    SWAP(s, r);
    CHECK(s);
    return s;
}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stmt := func(begins string) *lower.Stmt {
		for _, s := range p.Stmts {
			if s != nil && s.Kind == lower.Expr && strings.HasPrefix(s.Range.Text(), begins) {
				return s
			}
		}
		t.Fatal("no statement ", begins)
		return nil
	}
	one, sum := stmt("s = 1"), stmt("s += n")
	n := cfront.NewRef(p.Tree.Func("f").Params[0])
	big := cfront.NewBinary(ctype.Gt, n, cfront.NewConst(ctype.IntT, 5))
	was := sum.X.(*cfront.Assign)
	for want, e := range map[string]*repair.Edit{
		"{ if (n > 5) s = 1; } /* few */\n    else if": {Stmt: one.ID, Guard: big},
		"s -= n; // many":            {Stmt: sum.ID, New: cfront.NewCompound(ctype.Sub, was.L, was.R)},
		"if (n > 5) s += n; // many": {Stmt: sum.ID, Guard: big},
	} {
		if texts, err := Rewrite(p, repair.NewPatch(e)); err != nil || !strings.Contains(texts[path], want) {
			t.Errorf("%v %s, want %s", err, texts[path], want)
		}
	}
	lines := map[int]int{}
	for _, g := range p.Gaps {
		pos, _ := repair.GapPosition(g)
		lines[pos.Line]++
	}
	// Before and after the declaration; of the if one for each arm and one behind it; one after each macro.
	for line, want := range map[int]int{5: 2, 7: 1, 9: 2, 10: 1, 11: 1} {
		if lines[line] != want {
			t.Errorf("line %d: %d gaps, want %d (%v)", line, lines[line], want, lines)
		}
	}
}

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

package cfront

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"gulo/internal/ctype"
	"gulo/internal/source"
)

func testScope() func(string) *Var {
	node := &ctype.Type{Kind: ctype.Struct, Tag: "node", Size: 16, Align: 8}
	node.Fields = []ctype.Field{{Name: "data", Type: ctype.IntT}, {Name: "next", Type: ctype.PointerTo(node), Offset: 8}}
	vars := map[string]*Var{
		"head": {Name: "head", Type: ctype.PointerTo(node)}, "n": {Name: "n", Type: ctype.IntT},
		"a": {Name: "a", Type: ctype.ArrayOf(ctype.IntT, 4)}, "s": {Name: "s", Type: node}, "d": {Name: "d", Type: ctype.DoubleT},
	}
	return func(name string) *Var { return vars[name] }
}

// TestParseLogical: & and | are not taken for the beginning of && and ||, and ? : binds
// weakest.
func TestParseLogical(t *testing.T) {
	for text, want := range map[string]string{
		"n > 0 && n < 9 && n != 3 || n == 4 || n == 5": "n > 0 && n < 9 && n != 3 || n == 4 || n == 5",
		"n == 1&&n & 2":                  "n == 1 && n & 2",
		"n > 1 || n > 2 ? n & 3 : n | 4": "n > 1 || n > 2 ? n & 3 : n | 4",
	} {
		x, err := ParseExpr(text, testScope())
		if err != nil || Text(x) != want {
			t.Errorf("%q: %v, %v", text, x, err)
		}
	}
}

// FuzzParseExpr: what parses prints as something that parses to the same text.
func FuzzParseExpr(f *testing.F) {
	for _, s := range []string{"head->next->data + 1", "*head", "(n + 2) * 3 - a[n]", "&s", "!head && n != 0", "-n % 4 << 1", "a[a[1]]", "s.next == null", "n > 0 && n < 9 && n != 3 || n == 4", "n > 1 ? n & 3 : n | 4"} {
		f.Add(s)
	}
	lookup := testScope()
	f.Fuzz(func(t *testing.T, s string) {
		x, err := ParseExpr(s, lookup)
		if err != nil {
			return
		}
		once := Text(x)
		y, err := ParseExpr(once, lookup)
		if err != nil {
			t.Fatalf("%q printed as %q, which does not parse: %v", s, once, err)
		}
		if twice := Text(y); twice != once {
			t.Errorf("%q prints as %q, then as %q", s, once, twice)
		}
	})
}

// FuzzLoad: no C text makes the front end panic or hang, and where it is
// accepted, uses of variables are exactly their names in the source.
func FuzzLoad(f *testing.F) {
	f.Add("struct n { int d; struct n *next; };\n#define NEXT(p) ((p)->next)\nint f(struct n *p) { int k = 0; while (p) { p = NEXT(p); k++; } return k; }\n")
	f.Add("int a[] = {1, 2, [5] = 3}; int *p = &a[2]; int main(void) { for (int i = 0; i < 3; i++) a[i] += *p; return a[0]; }\n")
	f.Add("int f(int x) { switch (x) { case 1: return 2; default: goto out; } out: return ({ int t = x; t; }); }\n")
	f.Fuzz(func(t *testing.T, s string) {
		path := filepath.Join(t.TempDir(), "x.c")
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		p, err := Load(ctx, []string{path}, Options{})
		if err != nil {
			var diag *source.Error
			if !errors.As(err, &diag) {
				t.Fatalf("not a diagnostic: %v", err)
			}
			return
		}
		for _, fn := range p.Funcs {
			WalkStmt(fn.Body, nil, func(x Expr) {
				Walk(x, func(y Expr) bool {
					if r, ok := y.(*Ref); ok && r.Editable() && r.Range().File == p.Files[0] {
						if got := r.Range().Text(); got != r.Var.Name && got[0] != '(' && !isMacroUse(p, got) {
							t.Errorf("a use of %s has the bytes %q", r.Var.Name, got)
						}
					}
					return true
				})
			})
		}
	})
}

var leadingName = regexp.MustCompile(`^[A-Za-z_$][\w$]*`)

// isMacroUse allows whole macro invocations, which are editable as a whole: the
// text begins with a name that the source defines as a macro.
func isMacroUse(p *Program, text string) bool {
	name := leadingName.FindString(text)
	return name != "" && regexp.MustCompile(`#[ \t]*define[ \t]+`+regexp.QuoteMeta(name)+`\b`).Match(p.Files[0].Text)
}

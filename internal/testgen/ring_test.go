package testgen

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

func writeProgram(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// linked builds the entry of f with n nodes of two links of their own kind.
func linked(t *testing.T, n int, left, right func(i int) int) (*heap.Image, *cfront.Func) {
	t.Helper()
	name := writeProgram(t, "struct node { int data; struct node *next, *other; };\nstruct node *top;\nint f(struct node *p) { return p->data < 3; }\nint main(void) { return f(top); }\n")
	tree, err := cfront.Load(context.Background(), []string{name}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var top *cfront.Var
	for _, v := range tree.Globals {
		if v.Name == "top" {
			top = v
		}
	}
	pt := top.Type
	node := pt.Elem
	addr := func(i int) ctype.Word {
		if i == 0 {
			return 0
		}
		return 0x100000 + 64*ctype.Word(i)
	}
	im := &heap.Image{}
	for i := 1; i <= n; i++ {
		d := make([]byte, node.Size)
		ctype.Store(ctype.IntT, d, ctype.Word(i))
		ctype.Store(pt, d[node.Fields[1].Offset:], addr(left(i)))
		ctype.Store(pt, d[node.Fields[2].Offset:], addr(right(i)))
		im.Add(&heap.Object{Addr: addr(i), Kind: heap.Node, Live: true, Seq: i, Data: d})
	}
	d := make([]byte, 8)
	ctype.Store(pt, d, addr(1))
	im.Add(&heap.Object{Addr: 0x8000, Kind: heap.Global, Live: true, Data: d, Var: top})
	im.Sort()
	im.Frames = []heap.FrameInfo{{Func: tree.Func("f")}}
	return im, tree.Func("f")
}

// TestNoTree: nodes with two links that share nodes or lead back are no trees; deep
// trees and lists are looked at without deep recursion.
func TestNoTree(t *testing.T) {
	next := func(n int) func(int) int { return func(i int) int { return (i + 1) % (n + 1) } }
	zero := func(int) int { return 0 }
	const many = 15_000
	for _, tt := range []struct {
		name        string
		n           int
		left, right func(int) int
		why         string
	}{
		{"stack with the least", 5, next(5), func(i int) int { return 5 }, "lead to the same node"},
		{"ring", 4, func(i int) int { return i%4 + 1 }, zero, "they lead in a ring"},
		{"itself", 1, func(int) int { return 1 }, zero, "they lead in a ring"},
		{"both the same", 60, next(60), next(60), "lead to the same node"},
		{"degenerate", many, zero, next(many), ""},
		{"too many", heap.MaxNodes + 5, zero, next(heap.MaxNodes + 5), "with more than 20000 nodes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			im, f := linked(t, tt.n, tt.left, tt.right)
			p := Infer(im, f)
			if (tt.why == "") != (len(p.parts) > 0) || !strings.Contains(p.Why, tt.why) {
				t.Errorf("%d parts, why %q, want %q", len(p.parts), p.Why, tt.why)
			}
		})
	}
}

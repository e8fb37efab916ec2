package draw

import (
	"math/rand"
	"slices"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// binary builds an image of nodes whose left and right are given by number, 0 for null, and a variable root. Nodes that
// nothing leads to are drawn if their type is known.
func binary(left, right []int, known heap.Types) *heap.Graph {
	node := &ctype.Type{Kind: ctype.Struct, Tag: "tree", Size: 24, Align: 8}
	pt := ctype.PointerTo(node)
	node.Fields = []ctype.Field{{Name: "key", Type: ctype.IntT}, {Name: "left", Type: pt, Offset: 8}, {Name: "right", Type: pt, Offset: 16}}
	addr := func(i int) ctype.Word {
		if i == 0 {
			return 0
		}
		return ctype.Word(0x10000 + 0x100*i)
	}
	im := &heap.Image{}
	for i := range left {
		d := make([]byte, 24)
		ctype.Store(ctype.IntT, d, ctype.Word(i+1))
		ctype.Store(pt, d[8:], addr(left[i]))
		ctype.Store(pt, d[16:], addr(right[i]))
		im.Add(&heap.Object{Addr: addr(i + 1), Kind: heap.Node, Live: true, Seq: i + 1, Type: node, Data: d})
	}
	h := make([]byte, 8)
	ctype.Store(pt, h, addr(1))
	im.Add(&heap.Object{Addr: 0x8000, Kind: heap.Global, Live: true, Data: h, Var: &cfront.Var{Name: "root", Type: pt, Storage: cfront.Global}})
	im.Sort()
	g := heap.NewGraph(im, func(*heap.Object) bool { return true })
	g.Recall(im, known)
	return g
}

// crossed lists the children under a node that are not in the row below their parent, or are in another order than their
// parents.
func crossed(l *Layout, left, right []int) (out []int) {
	last, met := map[int]int{}, map[int]bool{}
	var walk func(n int)
	walk = func(n int) {
		met[n] = true
		p := l.at[n]
		if col, ok := last[p.Row]; ok && p.Col < col+2 {
			out = append(out, n)
		}
		last[p.Row] = p.Col
		for _, k := range []int{left[n-1], right[n-1]} {
			if k == 0 || met[k] {
				continue
			}
			if l.at[k].Row != p.Row+1 {
				out = append(out, k)
			}
			walk(k)
		}
	}
	walk(1)
	return out
}

// TestMend: where the user makes a link of a tree lead elsewhere, the tree is drawn without crossings, its root and all
// that is not under the link's first ancestor that has to give way stay, and no two nodes share a place.
func TestMend(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	moved := 0
	for round := range 400 {
		n := 3 + r.Intn(14)
		left, right := make([]int, n), make([]int, n)
		for k := 2; k <= n; k++ { // as a search tree grows
			for at := 1; ; {
				side := left
				if r.Intn(2) == 0 {
					side = right
				}
				if side[at-1] == 0 {
					side[at-1] = k
					break
				}
				at = side[at-1]
			}
		}
		var l Layout
		g := binary(left, right, heap.Types{})
		l.Picture(g, Options{})
		var known heap.Types
		if round%2 == 0 {
			known = g.Types(known)
		}
		was := map[int]Spot{}
		for k, p := range l.at {
			was[k] = p
		}
		// A link is made to lead to a node farther down: its own grandchild, as where one is deleted.
		from, to := 0, 0
		for k := 1; k <= n && from == 0; k++ {
			if c := left[k-1]; c != 0 && right[c-1] != 0 {
				from, to = k, right[c-1]
				left[k-1] = to
			}
		}
		if from == 0 {
			continue
		}
		g = binary(left, right, known)
		l.Picture(g, Options{})
		if !l.Mend(g, from, to) {
			t.Fatalf("round %d: nothing moves, and n%d is not below n%d", round, to, from)
		}
		p := l.Picture(g, Options{})
		moved++
		if round%2 == 0 && len(p.Nodes) != n {
			t.Errorf("round %d: %d nodes of %d are drawn", round, len(p.Nodes), n)
		}
		if got := crossed(&l, left, right); len(got) > 0 {
			t.Errorf("round %d: after n%d->left was made n%d, %v cross others: left %v right %v at %v", round, from, to, got, left, right, l.at)
		}
		if l.at[1] != was[1] {
			t.Errorf("round %d: the root has moved from %v to %v", round, was[1], l.at[1])
		}
		var spots []Spot
		for _, p := range l.at {
			if slices.Contains(spots, p) || slices.Contains(spots, Spot{p.Row, p.Col + 1}) || slices.Contains(spots, Spot{p.Row, p.Col - 1}) {
				t.Errorf("round %d: two nodes are at %v", round, p)
			}
			spots = append(spots, p)
		}
		if l.Mend(g, from, to) {
			t.Errorf("round %d: what is drawn well is moved again", round)
		}
	}
	if moved < 100 {
		t.Errorf("%d trees were changed, not enough to say anything", moved)
	}
}

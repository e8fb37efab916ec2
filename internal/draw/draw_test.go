package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// list builds an image of n nodes whose next and prev are given by index (0 for
// null), and a variable head.
func list(next, prev []int, head int) *heap.Graph {
	node := &ctype.Type{Kind: ctype.Struct, Tag: "node", Size: 24, Align: 8}
	pt := ctype.PointerTo(node)
	node.Fields = []ctype.Field{{Name: "data", Type: ctype.IntT}, {Name: "next", Type: pt, Offset: 8}, {Name: "prev", Type: pt, Offset: 16}}
	addr := func(i int) ctype.Word {
		if i == 0 {
			return 0
		}
		return ctype.Word(0x10000 + 0x100*i)
	}
	im := &heap.Image{}
	for i := 1; i <= len(next); i++ {
		d := make([]byte, 24)
		ctype.Store(ctype.IntT, d, ctype.Word(i))
		ctype.Store(pt, d[8:], addr(next[i-1]))
		ctype.Store(pt, d[16:], addr(prev[i-1]))
		im.Add(&heap.Object{Addr: addr(i), Kind: heap.Node, Live: true, Seq: i, Data: d})
	}
	h := make([]byte, 8)
	ctype.Store(pt, h, addr(head))
	im.Add(&heap.Object{Addr: 0x8000, Kind: heap.Global, Live: true, Data: h, Var: &cfront.Var{Name: "head", Type: pt, Storage: cfront.Global}})
	im.Sort()
	return heap.NewGraph(im, func(*heap.Object) bool { return true })
}

func TestText(t *testing.T) {
	var l Layout
	got := l.Text(list([]int{0, 1, 2}, []int{2, 3, 0}, 3), Options{})
	want := `  head
    ↓
 ┌ n3 ─────┐   ┌ n2 ─────┐   ┌ n1 ─────┐
 │ data  3 │   │ data  2 │   │ data  1 │
 │ next  ●─┼──▶│ next  ●─┼──▶│ next  ∅ │
 │ prev  ∅ │◀──┼─● prev  │◀──┼─● prev  │
 └─────────┘   └─────────┘   └─────────┘
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestSticky: whatever a program does to pointers, a placed node keeps its
// place, no two share one, and every drawing is well formed.
func TestSticky(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		var l Layout
		n := 1 + r.Intn(12)
		was := map[int]Spot{}
		for range 10 {
			next, prev := make([]int, n), make([]int, n)
			for i := range next {
				next[i], prev[i] = r.Intn(n+1), r.Intn(n+1)
			}
			g := list(next, prev, r.Intn(n+1))
			text := l.Text(g, Options{Width: 60})
			for seq, p := range was {
				if l.at[seq] != p {
					t.Fatalf("n%d moved from %v to %v", seq, p, l.at[seq])
				}
			}
			taken := map[Spot]int{}
			for seq, p := range l.at {
				if other, ok := taken[p]; ok {
					t.Fatalf("n%d and n%d share %v", seq, other, p)
				}
				taken[p], was[seq] = seq, p
			}
			for _, line := range strings.Split(text, "\n") {
				if visible(line) > 100 {
					t.Fatalf("line of %d columns: %s", visible(line), line)
				}
			}
			dec := xml.NewDecoder(strings.NewReader(l.SVG(g, Options{})))
			for {
				if _, err := dec.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("SVG: %v", err)
				}
			}
			if d := DOT(g, Options{}); strings.Count(d, "{\n") != 1 || !strings.HasSuffix(d, "}\n") {
				t.Fatalf("DOT:\n%s", d)
			}
		}
	}
}

// tree builds an image of a binary tree whose children are given by index.
func tree(left, right []int, root int) *heap.Graph {
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
	for i := 1; i <= len(left); i++ {
		d := make([]byte, 24)
		ctype.Store(ctype.IntT, d, ctype.Word(i))
		ctype.Store(pt, d[8:], addr(left[i-1]))
		ctype.Store(pt, d[16:], addr(right[i-1]))
		im.Add(&heap.Object{Addr: addr(i), Kind: heap.Node, Live: true, Seq: i, Data: d})
	}
	h := make([]byte, 8)
	ctype.Store(pt, h, addr(root))
	im.Add(&heap.Object{Addr: 0x8000, Kind: heap.Global, Live: true, Data: h, Var: &cfront.Var{Name: "root", Type: pt, Storage: cfront.Global}})
	im.Sort()
	return heap.NewGraph(im, func(*heap.Object) bool { return true })
}

// TestLayered: a search tree that grows and is changed at random. When it is drawn as a
// whole children are below their parents, a left one to the left and a right one to
// the right; no node moves and no two boxes meet, whatever comes.
func TestLayered(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 200 {
		n := 2 + r.Intn(14)
		left, right := make([]int, n), make([]int, n)
		keys := r.Perm(n)
		insert := func(k int) {
			for at := keys[0]; ; {
				side := left
				if k > at {
					side = right
				}
				if side[at] == 0 {
					side[at] = k + 1
					return
				}
				at = side[at] - 1
			}
		}
		whole := 1 + r.Intn(n-1)
		for _, k := range keys[1 : whole+1] {
			insert(k)
		}
		var l Layout
		boxes := func() map[string]Box {
			out := map[string]Box{}
			p := l.Picture(tree(left, right, keys[0]+1), Options{})
			for _, b := range p.Nodes {
				for _, o := range out {
					if b.X < o.X+o.W && o.X < b.X+b.W && b.Y < o.Y+o.H && o.Y < b.Y+b.H {
						t.Fatalf("%s and %s meet: %+v %+v", b.Name, o.Name, b, o)
					}
				}
				out[b.Name] = b
			}
			return out
		}
		was := boxes()
		for i := range n {
			at := func(k int) Box { return was[(&heap.NodeInfo{Seq: k}).Name()] }
			for side, k := range map[int]int{-1: left[i], 1: right[i]} {
				if k == 0 || i != keys[0] && left[i] == 0 && right[i] == 0 {
					continue
				}
				p, c := at(i+1), at(k)
				if c.Y < p.Y+p.H || (c.X-p.X)*side <= 0 {
					t.Fatalf("n%d, on side %d of n%d, is at %d,%d, its parent at %d,%d", k, side, i+1, c.X, c.Y, p.X, p.Y)
				}
			}
		}
		for _, k := range keys[whole+1:] {
			insert(k)
			if r.Intn(3) == 0 { // something else is done to it
				i := r.Intn(n)
				left[i], right[i] = right[i], left[i]
			}
			now := boxes()
			for name, b := range was {
				if o, ok := now[name]; ok && (o.X != b.X || o.Y != b.Y) {
					t.Fatalf("%s moved from %d,%d to %d,%d", name, b.X, b.Y, o.X, o.Y)
				}
			}
			was = now
			if r.Intn(4) == 0 {
				break
			}
		}
	}
}

// TestBrief: of many members those are shown that matter, in their order; of an array the first.
func TestBrief(t *testing.T) {
	pointer := ctype.PointerTo(ctype.IntT)
	var cells []heap.Cell
	for _, name := range strings.Fields("a b c d e p q x y z") {
		c := heap.Cell{Key: "n1->" + name, Field: name, Type: ctype.IntT, Value: heap.Value{Kind: heap.Scalar, Text: "0"}}
		switch name {
		case "p":
			c.Type, c.Value = pointer, heap.Value{Kind: heap.Null}
		case "q":
			c.Type, c.Value = pointer, heap.Value{Kind: heap.ToNode, Node: 2, Text: "n2"}
		case "y":
			c.Value.Word, c.Value.Text = 5, "5"
		}
		cells = append(cells, c)
	}
	for _, x := range []struct {
		room int
		want string
	}{{10, "a b c d e p q x y z"}, {6, "a p q y z 5"}, {4, "q y z 7"}, {2, "z 9"}, {1, "10"}} {
		shown, left := brief(cells, Options{Changed: map[string]bool{"n1->z": true}}, x.room)
		var got []string
		for _, c := range shown {
			got = append(got, c.Field)
		}
		if left > 0 {
			got = append(got, strconv.Itoa(left))
		}
		if s := strings.Join(got, " "); s != x.want {
			t.Errorf("%d lines: %s, want %s", x.room, s, x.want)
		}
	}
	for i := range cells {
		cells[i].Field = "[" + strconv.Itoa(i) + "]"
	}
	if shown, left := brief(cells, Options{}, 3); left != 8 || len(shown) != 2 || shown[1].Field != "[1]" {
		t.Errorf("of an array: %v, %d left", shown, left)
	}
}

// TestNotes: what is said of a node besides its cells has lines of its own, in boxes and in pictures, and no box is too
// small for them.
func TestNotes(t *testing.T) {
	g := list([]int{2, 0}, []int{0, 1}, 1)
	g.Nodes[0].Notes = []heap.Note{{Label: "≡", Text: "first of two"}, {Label: "size ≡", Text: "2"}}
	var l Layout
	text := l.Text(g, Options{})
	for _, want := range []string{"│ ≡ first of two │", "│ size ≡       2 │"} {
		if !strings.Contains(text, want) {
			t.Errorf("no line %s in\n%s", want, text)
		}
	}
	p := l.Picture(g, Options{})
	if b := p.Nodes[0]; !slices.Equal(b.Blank, []string{"≡ first of two", "size ≡ 2"}) || b.H != (1+len(b.Cells)+2)*LineH {
		t.Errorf("%+v", b)
	}
}

package draw

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gulo/internal/heap"
)

// through lists the arrows of a picture that pass through boxes.
func through(p *Picture) []string {
	r := newRouter(p)
	var out []string
	for i := range p.Arrows {
		if n, _ := r.look(&p.Arrows[i].Path, samples); n > 0 {
			out = append(out, p.Arrows[i].From)
		}
	}
	return out
}

// TestRoute: arrows that plainly drawn lie over boxes are led around them.
func TestRoute(t *testing.T) {
	for _, x := range []struct {
		what string
		g    *heap.Graph
	}{
		{"to the end of a list", list([]int{0, 1, 2, 3}, []int{2, 3, 4, 0}, 1)},
		{"a ring", list([]int{4, 1, 2, 3}, []int{0, 0, 0, 0}, 4)},
		{"over the next node", list([]int{0, 1, 1, 2}, []int{2, 3, 4, 0}, 4)},
		{"to a leaf of a tree", tree([]int{2, 4, 6, 0, 0, 0, 0}, []int{3, 5, 7, 0, 0, 0, 0}, 7)},
		{"back to the root", tree([]int{2, 4, 6, 0, 0, 1, 0}, []int{3, 5, 7, 0, 0, 0, 0}, 1)},
	} {
		var l Layout
		if got := through(l.Picture(x.g, Options{})); len(got) > 0 {
			t.Errorf("%s: %v pass through boxes", x.what, got)
		}
	}
}

// TestRouteRandom: whatever the pointers are, few arrows pass through boxes, and a picture is
// the same each time.
func TestRouteRandom(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	arrows, bad := 0, 0
	for range 100 {
		n := 2 + r.Intn(9)
		next, prev := make([]int, n), make([]int, n)
		for i := range next {
			next[i], prev[i] = r.Intn(n+1), r.Intn(n+1)
		}
		g := list(next, prev, r.Intn(n+1))
		var l, m Layout
		p := l.Picture(g, Options{})
		for i, a := range m.Picture(g, Options{}).Arrows {
			if a != p.Arrows[i] {
				t.Fatalf("the arrow from %s is %v, then %v", a.From, p.Arrows[i].Path, a.Path)
			}
		}
		arrows, bad = arrows+len(p.Arrows), bad+len(through(p))
	}
	t.Logf("%d of %d arrows pass through a box", bad, arrows)
	if bad*100 > arrows*4 {
		t.Errorf("%d of %d arrows pass through a box", bad, arrows)
	}
}

func BenchmarkPicture(b *testing.B) {
	r := rand.New(rand.NewSource(4))
	n := 1000
	next, prev := make([]int, n), make([]int, n)
	for i := range next {
		next[i], prev[i] = r.Intn(n+1), r.Intn(n+1)
	}
	g := list(next, prev, 1)
	for b.Loop() {
		var l Layout
		l.Picture(g, Options{})
	}
}

// TestLabels: names and values stay inside of their boxes, however long they are.
func TestLabels(t *testing.T) {
	g := list([]int{0, 1, 2, 3}, []int{2, 3, 4, 0}, 1)
	long := strings.Repeat("name_", 12)
	for i := range g.Vars {
		for k := range g.Vars[i].Cells {
			g.Vars[i].Cells[k].Key = long
		}
	}
	for _, n := range g.Nodes {
		for k := range n.Cells {
			n.Cells[k].Field += long
			n.Cells[k].Value.Text += strings.Repeat("9", 40)
		}
	}
	var l Layout
	p := l.Picture(g, Options{Changed: map[string]bool{long: true, "n1->data": true, "n2->next": true}})
	for _, b := range slices.Concat(p.Nodes, p.Vars) {
		for _, c := range b.Cells {
			n := utf8.RuneCountInString(c.Label) + star(c.Changed)
			if c.Kind != "node" {
				n += utf8.RuneCountInString(c.Shown)
			}
			if float64(n)*charW > float64(b.W-16) {
				t.Errorf("%s: %q and %q are wider than the box of %d", b.Name, c.Label, c.Shown, b.W)
			}
		}
	}
	if got := shorten("the_next_record", 9); got != "the_…cord" {
		t.Errorf("shortened: %q", got)
	}
}

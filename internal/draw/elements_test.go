package draw

import (
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// TestBlankElements: text, SVG and the page's picture show the same elements of an array of
// structs, and call those that hold only zeroes or nothing blank; one that the last command made
// zero is shown.
func TestBlankElements(t *testing.T) {
	slot := &ctype.Type{Kind: ctype.Struct, Tag: "slot", Size: 8, Align: 4}
	slot.Fields = []ctype.Field{{Name: "owner", Type: ctype.IntT}, {Name: "next", Type: ctype.IntT, Offset: 4}}
	pool := ctype.ArrayOf(slot, 4)
	data := make([]byte, 32)
	ctype.Store(ctype.IntT, data[8:], 7)
	im := &heap.Image{}
	im.Add(&heap.Object{Addr: 0x8000, Kind: heap.Global, Live: true, Data: data, Var: &cfront.Var{Name: "pool", Type: pool, Storage: cfront.Global}})
	im.Add(&heap.Object{Addr: 0x10000, Kind: heap.Node, Live: true, Seq: 1, Type: pool, Data: data})
	p := make([]byte, 8)
	pt := ctype.PointerTo(slot)
	ctype.Store(pt, p, 0x10000)
	im.Add(&heap.Object{Addr: 0x9000, Kind: heap.Global, Live: true, Data: p, Var: &cfront.Var{Name: "p", Type: pt, Storage: cfront.Global}})
	im.Sort()
	g := heap.NewGraph(im, func(*heap.Object) bool { return true })
	for _, c := range []struct {
		changed  map[string]bool
		variable string
		node     string
	}{
		{nil, "pool: 3 blank", "3 blank"},
		{map[string]bool{"pool[2].next": true, "n1[0].owner": true}, "pool: 2 blank", "2 blank"},
	} {
		o := Options{Changed: c.changed}
		var l Layout
		text, svg := l.Text(g, o), l.SVG(g, o)
		for _, want := range []string{c.variable, c.node} {
			if !strings.Contains(text, want) || !strings.Contains(svg, ">"+want+"<") {
				t.Errorf("no %q in\n%s\n%s", want, text, svg)
			}
		}
		if strings.Contains(svg, "more<") {
			t.Errorf("cells are said to be left out:\n%s", svg)
		}
		pic := l.Picture(g, o)
		for key := range c.changed {
			found := false
			for _, b := range append(pic.Nodes, pic.Vars...) {
				for _, cell := range b.Cells {
					found = found || cell.Key == key && cell.Changed
				}
			}
			if !found {
				t.Errorf("%s changed and is not in the picture", key)
			}
		}
	}
}

// TestBuckets: of a hash table, whether it is a variable or in a node, the buckets in use have lines, those that are
// null are counted, and where one more is in use the nodes in the rows below make room.
func TestBuckets(t *testing.T) {
	entry := &ctype.Type{Kind: ctype.Struct, Tag: "entry", Size: 16, Align: 8}
	link := ctype.PointerTo(entry)
	entry.Fields = []ctype.Field{{Name: "key", Type: ctype.IntT}, {Name: "next", Type: link, Offset: 8}}
	table := &ctype.Type{Kind: ctype.Struct, Tag: "table", Size: 808, Align: 8}
	table.Fields = []ctype.Field{{Name: "buckets", Type: ctype.ArrayOf(link, 100)}, {Name: "used", Type: ctype.IntT, Offset: 800}}
	im := &heap.Image{}
	owner, list, data := make([]byte, 8), make([]byte, 8*300), make([]byte, 808)
	pt := ctype.PointerTo(table)
	ctype.Store(pt, owner, 0x10000)
	im.Add(&heap.Object{Addr: 0x8000, Kind: heap.Global, Live: true, Data: owner, Var: &cfront.Var{Name: "t", Type: pt, Storage: cfront.Global}})
	im.Add(&heap.Object{Addr: 0x9000, Kind: heap.Global, Live: true, Data: list, Var: &cfront.Var{Name: "list", Type: ctype.ArrayOf(link, 300), Storage: cfront.Global}})
	im.Add(&heap.Object{Addr: 0x10000, Kind: heap.Node, Live: true, Seq: 1, Data: data})
	for i := range ctype.Word(4) {
		im.Add(&heap.Object{Addr: 0x20000 + 64*i, Kind: heap.Node, Live: true, Seq: 2 + int(i), Data: make([]byte, 16)})
	}
	im.Sort()
	use := func(array []byte, i int, node ctype.Word) { ctype.Store(link, array[8*i:], 0x20000+64*node) }
	use(data, 7, 0)
	use(data, 99, 1)
	use(list, 280, 2)
	var l Layout
	shown := func() (n1 Box, below int, text string) {
		g := heap.NewGraph(im, func(*heap.Object) bool { return true })
		p := l.Picture(g, Options{})
		for _, b := range p.Nodes {
			if b.Name == "n1" {
				n1 = b
			}
			if b.Name == "n3" {
				below = b.Y
			}
		}
		for _, v := range p.Vars {
			if v.Name == "globals" && (len(v.Cells) != 2 || v.Cells[1].Key != "list[280]" || v.Blank[0] != "list: 299 blank" || v.More > 0) {
				t.Errorf("the variables are drawn as %v, %q, %d more", v.Cells, v.Blank, v.More)
			}
		}
		return n1, below, l.Text(g, Options{})
	}
	keys := func(b Box) (out string) {
		for _, c := range b.Cells {
			out += c.Label + " "
		}
		return out + strings.Join(b.Blank, " ")
	}
	n1, was, text := shown()
	if got := keys(n1); got != "buckets[7] buckets[99] used 98 blank" || n1.More > 0 {
		t.Errorf("the table has lines %q, and %d more", got, n1.More)
	}
	if !strings.Contains(text, "list: 299 of 300 ∅") {
		t.Errorf("the variable is not drawn as text in\n%s", text)
	}
	use(data, 50, 3)
	n1, now, _ := shown()
	if got := keys(n1); got != "buckets[7] buckets[50] buckets[99] used 97 blank" || now != was+LineH || n1.Y+n1.H >= now {
		t.Errorf("with one more the lines are %q; what stands at %d below stood at %d", got, now, was)
	}
}

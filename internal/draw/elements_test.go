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

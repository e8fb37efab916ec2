package heap

import (
	"fmt"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// TestLongArrays: what an element far behind in an array leads to is reached, and the element is a cell; how many
// elements have none is said.
func TestLongArrays(t *testing.T) {
	node := &ctype.Type{Kind: ctype.Struct, Tag: "node", Size: 16, Align: 8}
	link := ctype.PointerTo(node)
	node.Fields = []ctype.Field{{Name: "v", Type: ctype.IntT}, {Name: "next", Type: link, Offset: 8}}
	slot := &ctype.Type{Kind: ctype.Struct, Tag: "slot", Size: 16, Align: 8}
	slot.Fields = []ctype.Field{{Name: "used", Type: ctype.IntT}, {Name: "first", Type: link, Offset: 8}}
	im := &Image{}
	for i := range 2 {
		im.Add(&Object{Addr: 0x10000 + ctype.Word(i)*64, Kind: Node, Live: true, Seq: i + 1, Data: make([]byte, 16)})
	}
	variable := func(name string, at ctype.Word, typ *ctype.Type) []byte {
		data := make([]byte, typ.Size)
		im.Add(&Object{Addr: at, Kind: Global, Live: true, Data: data, Var: &cfront.Var{Name: name, Type: typ, Storage: cfront.Global}})
		return data
	}
	ctype.Store(link, variable("table", 0x100000, ctype.ArrayOf(link, 1000))[999*8:], 0x10000)
	ctype.Store(link, variable("slots", 0x200000, ctype.ArrayOf(slot, 400))[300*16+8:], 0x10040)
	variable("numbers", 0x300000, ctype.ArrayOf(ctype.IntT, 1000))
	im.Sort()
	g := NewGraph(im, func(*Object) bool { return true })
	for k, key := range []string{"table[999]", "slots[300].first"} {
		if c, ok := g.Cell(key); !ok || c.Value.Node != k+1 || g.Typed(k+1) == nil {
			t.Errorf("%s does not lead to n%d, which is a node", key, k+1)
		}
	}
	got := map[string]Rest{}
	for _, v := range g.Vars {
		for _, c := range v.Cells {
			if c.Rest != (Rest{}) {
				got[v.Name+" "+c.Key] = c.Rest
			}
		}
	}
	want := map[string]Rest{
		"table table[999]":       {Blank: 1000 - maxPointers - 1},
		"slots slots[300].first": {Blank: 400 - maxPointers - 1},
		"numbers numbers[63]":    {More: 1000 - maxElems},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("elements without cells: %v, not %v", got, want)
	}
}

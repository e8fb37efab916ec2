package heap

import (
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// TestViews reads blocks as what a view says: by their number, by their kind, and those that only a void * leads to.
// TestGrapher makes views at random.
func TestViews(t *testing.T) {
	base := &ctype.Type{Kind: ctype.Struct, Tag: "base", Size: 16, Align: 8}
	base.Fields = []ctype.Field{{Name: "kind", Type: ctype.IntT}, {Name: "next", Type: ctype.PointerTo(base), Offset: 8}}
	pair := &ctype.Type{Kind: ctype.Struct, Tag: "pair", Size: 16, Align: 8}
	pair.Fields = []ctype.Field{{Name: "a", Type: ctype.LongT}, {Name: "to", Type: ctype.PointerTo(base), Offset: 8}}
	wide := &ctype.Type{Kind: ctype.Struct, Tag: "wide", Size: 32, Align: 8}
	wide.Fields = []ctype.Field{{Name: "kind", Type: ctype.IntT}, {Name: "next", Type: ctype.PointerTo(base), Offset: 8}, {Name: "x", Type: ctype.LongT, Offset: 16}}

	im := &Image{}
	block := func(seq int, words ...ctype.Word) {
		o := &Object{Addr: 0x10000 + ctype.Word(seq)*64, Kind: Node, Live: true, Seq: seq, Data: make([]byte, 8*len(words))}
		for i, w := range words {
			ctype.Store(ctype.ULongT, o.Data[8*i:], w)
		}
		im.Add(o)
	}
	at := func(seq int) ctype.Word { return 0x10000 + ctype.Word(seq)*64 }
	block(1, 1, at(2), 7, 8)
	block(2, 2, 0)
	block(3, 3, at(4)) // a void * leads here
	block(4, 4, 0)
	block(5, 5, 0) // and nothing leads here
	for i, v := range []*cfront.Var{{Name: "head", Type: ctype.PointerTo(base)}, {Name: "any", Type: ctype.VoidPtrT}} {
		v.Storage = cfront.Global
		o := &Object{Addr: 0x1000 + ctype.Word(i)*64, Kind: Global, Live: true, Data: make([]byte, 8), Var: v}
		ctype.Store(v.Type, o.Data, at(1+2*i))
		im.Add(o)
	}
	im.Sort()
	check := func(v Views, want map[string]string) {
		t.Helper()
		im.Views = v
		g := NewGraph(im, func(*Object) bool { return true })
		types := g.Types(Types{})
		g.Recall(im, types)
		for key, text := range want {
			if c, ok := g.Cell(key); ok != (text != "") || ok && c.Value.Text != text {
				t.Errorf("%s is %+v, not %q", key, c, text)
			}
		}
		for _, seq := range v.Blocks() {
			if types.Of(seq) != nil && types.Of(seq) == v.Block(seq) {
				t.Errorf("n%d is remembered as %s, which only the user says", seq, types.Of(seq))
			}
		}
	}
	check(Views{}, map[string]string{"n1[1].kind": "7", "n2->kind": "2", "n3->a": "", "n4->kind": ""})
	check(Views{}.WithBlock(1, wide), map[string]string{"n1->x": "7", "n2->kind": "2"})
	check(Views{}.WithBlock(2, wide), map[string]string{"n2->x": "", "n2->kind": "2"}) // there is no room for it
	check(Views{}.WithKind(base, wide), map[string]string{"n1->x": "7", "n2->kind": "2"})
	check(Views{}.WithKind(base, wide).WithKind(base, nil), map[string]string{"n1[1].kind": "7"})
	check(Views{}.WithBlock(3, pair), map[string]string{"n3->a": "3", "n4->kind": "4"})
	check(Views{}.WithBlock(5, pair), map[string]string{"n5->a": "5", "n4->kind": ""})
	check(Views{}.WithBlock(1, ctype.ArrayOf(ctype.LongT, 2)), map[string]string{"n1[1]": "65664", "n1[2]": ""})
	check(Views{}.WithBlock(1, ctype.LongT), map[string]string{"n1[2]": "7", "n1[3]": "8"})
	check(Views{}.WithBlock(1, wide).WithBlock(1, nil), map[string]string{"n1[1].kind": "7"})
}

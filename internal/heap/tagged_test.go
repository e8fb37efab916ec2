package heap

import (
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// TestTagged reads numbers as tagged pointers: only where the program has such, and only where they lead to the beginning
// of a live block. What is reached so has its type and is not lost.
func TestTagged(t *testing.T) {
	obj := &ctype.Type{Kind: ctype.Struct, Tag: "obj", Size: 16, Align: 8}
	obj.Fields = []ctype.Field{{Name: "kind", Type: ctype.LongT}, {Name: "next", Type: ctype.PointerTo(obj), Offset: 8}}
	const tag = ctype.Word(0xfffc) << 48
	at := func(seq int) ctype.Word { return 0x10000 + ctype.Word(seq)*64 }
	leads := []*ctype.Type{obj}

	im := &Image{}
	block := func(seq int, live bool, words ...ctype.Word) {
		o := &Object{Addr: at(seq), Kind: Node, Live: live, Seq: seq, Data: make([]byte, 8*len(words))}
		for i, w := range words {
			ctype.Store(ctype.ULongT, o.Data[8*i:], w)
		}
		im.Add(o)
	}
	words := make([]ctype.Word, 100)
	words[0], words[1], words[99] = tag|at(3), 5, tag|at(4)
	for seq := 1; seq <= 5; seq++ {
		block(seq, seq != 5, ctype.Word(seq), 0)
	}
	o := &Object{Addr: 0x20000, Kind: Node, Live: true, Seq: 6, Data: make([]byte, 800)}
	for i, w := range words {
		ctype.Store(ctype.ULongT, o.Data[8*i:], w)
	}
	im.Add(o)
	next := ctype.Word(0x1000)
	variable := func(name string, typ *ctype.Type, leads []*ctype.Type, w ctype.Word) {
		v := &cfront.Var{Name: name, Type: typ, Storage: cfront.Global, Leads: leads}
		o := &Object{Addr: next, Kind: Global, Live: true, Data: make([]byte, max(typ.Size, 8)), Var: v}
		next += 64
		ctype.Store(ctype.ULongT, o.Data, w)
		im.Add(o)
	}
	boxed := &ctype.Type{Kind: ctype.Union, Tag: "boxed", Size: 8, Align: 8}
	boxed.Fields = []ctype.Field{{Name: "number", Type: ctype.DoubleT}, {Name: "bits", Type: ctype.ULongT, Leads: leads}}
	variable("high", ctype.ULongT, leads, tag|at(1))
	variable("low", ctype.LongT, leads, at(1)|1)
	variable("box", ctype.DoubleT, leads, tag|at(2))
	variable("either", boxed, nil, tag|at(2))
	variable("array", ctype.PointerTo(ctype.ULongT), leads, 0x20000)
	variable("fixed", obj, nil, 7)
	variable("shared", ctype.ULongT, leads, tag|(next-64))
	variable("inside", ctype.ULongT, leads, tag|at(1)+8) // not the beginning of a block
	variable("freed", ctype.ULongT, leads, tag|at(5))
	variable("small", ctype.IntT, leads, at(1)&0xffffffff) // has no room for a tagged pointer
	variable("plain", ctype.ULongT, nil, tag|at(1))        // the program has no tagged pointers there
	variable("odd", ctype.LongT, nil, at(1)|1)
	variable("equal", ctype.LongT, nil, at(1))
	variable("double", ctype.DoubleT, nil, at(1))
	variable("one", ctype.DoubleT, leads, 0x3ff0000000000000)
	im.Sort()
	g := NewGraph(im, func(*Object) bool { return true })
	for key, text := range map[string]string{
		"high": "n1 (tag 0xfffc)", "low": "n1+1", "box": "n2 (tag 0xfffc)", "either.bits": "n2 (tag 0xfffc)", "either.number": "?",
		"shared": "&fixed (tag 0xfffc)", "n6[0]": "n3 (tag 0xfffc)", "n6[1]": "5", "n6[99]": "n4 (tag 0xfffc)",
		"n1->kind": "1", "n3->kind": "3", "n4->kind": "4",
		"inside": "18445618173802774600", "freed": "18445618173802774848", "small": "65600", "plain": "18445618173802774592",
		"odd": "65601", "equal": "65600", "double": "3.24107e-319", "one": "1",
	} {
		if c, ok := g.Cell(key); !ok || c.Value.Text != text {
			t.Errorf("%s is %+v, not %q", key, c, text)
		}
	}
	for seq := 1; seq <= 4; seq++ {
		if n := g.Typed(seq); n == nil || n.Type != obj {
			t.Errorf("n%d is %+v, not an obj", seq, n)
		}
	}
	if c, _ := g.Cell("high"); c.Value.Whole() || !c.Value.Points() {
		t.Errorf("%+v is drawn without its tag, or as no pointer", c.Value)
	}
	if v := im.SymbolLike(tag|at(1), ctype.ULongT, "n2 (tag 0xfffc)"); v.Text != "n1 (tag 0xfffc)" {
		t.Errorf("beside a tagged pointer the value is written %q", v.Text)
	}
}

package heap

import (
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// TestWritten: of a union without a tag the member counts that was written last; what is stored into an image afterwards
// makes that unknown, until it is rolled back.
func TestWritten(t *testing.T) {
	u := &ctype.Type{Kind: ctype.Union, Tag: "u", Size: 8, Align: 8}
	u.Fields = []ctype.Field{{Name: "n", Type: ctype.LongT}, {Name: "d", Type: ctype.DoubleT}}
	v := &cfront.Var{Name: "v", Type: u, Storage: cfront.Global}
	im := &Image{}
	im.Add(&Object{Addr: 0x1000, Kind: Global, Live: true, Data: make([]byte, 8), Var: v, Members: []Member{{0, u, 1}}})
	im.Sort()
	check := func(im *Image, want string) {
		t.Helper()
		g := NewGraph(im, func(*Object) bool { return true })
		got := ""
		for _, c := range g.Vars[0].Cells {
			if c.Last && !c.Idle {
				got += c.Field
			}
		}
		if got != want {
			t.Errorf("%q was written last, not %q", got, want)
		}
	}
	check(im, "d")
	mark := im.Mark()
	im.Store(0x1000, ctype.LongT, 5)
	check(im, "")
	check(im.Clone(), "")
	im.Rollback(mark)
	check(im, "d")
	check(im.Clone(), "d")
}

// TestInside: a tagged number that leads into a block is a link where what the program takes it for has room there and is
// aligned, and the tag is one of the program's.
func TestInside(t *testing.T) {
	obj := &ctype.Type{Kind: ctype.Struct, Tag: "obj", Size: 16, Align: 8}
	obj.Fields = []ctype.Field{{Name: "kind", Type: ctype.LongT}, {Name: "next", Type: ctype.ULongT, Offset: 8}}
	leads := []*ctype.Type{obj}
	obj.Fields[1].Leads = leads
	const high = ctype.Word(0xfffa) << 48
	im := &Image{Tags: []ctype.Word{high, 1}}
	im.Add(&Object{Addr: 0x10000, Kind: Node, Live: true, Seq: 1, Data: make([]byte, 100)})
	pool := &cfront.Var{Name: "pool", Type: ctype.ArrayOf(ctype.CharT, 64), Storage: cfront.Global}
	im.Add(&Object{Addr: 0x20000, Kind: Global, Live: true, Data: make([]byte, 64), Var: pool})
	next := ctype.Word(0x1000)
	for _, x := range []struct {
		name string
		w    ctype.Word
		want string
	}{
		{"inside", high | 0x10020, "n1+32 (tag 0xfffa)"},
		{"low", 0x10020 | 1, "n1+32+1"},
		{"pooled", high | 0x20010, "&pool[16] (tag 0xfffa)"},
		{"first", high | 0x20000, "&pool[0] (tag 0xfffa)"},
		{"unaligned", high | 0x10024, "18445055223849353252"},
		{"short", high | 0x10058, "18445055223849353304"},
		{"foreign", 0xfffb<<48 | 0x10020, "18445336698826063904"},
		{"untagged", 0x10020, "65568"},
		{"other", 0x10020 | 2, "65570"},
	} {
		v := &cfront.Var{Name: x.name, Type: ctype.ULongT, Storage: cfront.Global, Leads: leads}
		o := &Object{Addr: next, Kind: Global, Live: true, Data: make([]byte, 8), Var: v}
		next += 64
		ctype.Store(ctype.ULongT, o.Data, x.w)
		im.Add(o)
		defer func() {
			g := NewGraph(im, func(*Object) bool { return true })
			if c, ok := g.Cell(x.name); !ok || c.Value.Text != x.want {
				t.Errorf("%s is %+v, not %q", x.name, c, x.want)
			}
			if c, ok := g.Cell("pool[16].kind"); !ok || c.Value.Text != "0" {
				t.Errorf("the part of the pool is %+v", c)
			}
		}()
	}
	im.Sort()
}

package heap

import (
	"fmt"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// TestBehind: what stands in a block behind a struct's head is read as its last array of pointers as far as it can be that.
func TestBehind(t *testing.T) {
	node := &ctype.Type{Kind: ctype.Struct, Tag: "node", Size: 16, Align: 8}
	node.Fields = []ctype.Field{{Name: "n", Type: ctype.LongT}, {Name: "at", Type: ctype.PointerTo(ctype.CharT), Offset: 8}, {Name: "kids", Type: ctype.ArrayOf(ctype.PointerTo(node), 0), Offset: 16}}
	const self, other, literal, wild = 0x10000, 0x20000, 0x30000, 0x7770000
	text := ctype.Word(0)
	for i, c := range []byte("hello") {
		text |= ctype.Word(c) << (8 * i)
	}
	for _, x := range []struct {
		name  string
		words []ctype.Word
		want  string
	}{
		{"children", []ctype.Word{2, 0, other, other, 0}, "n2 n2 null"},
		{"none yet", []ctype.Word{2, 0, 0, 0, 0}, "null null null"},
		{"one that is wrong stays", []ctype.Word{2, 0, wild, 0, 0}, "wild null null"},
		{"so does one among others", []ctype.Word{2, 0, wild, wild, other}, "wild wild n2"},
		{"items instead", []ctype.Word{2, 0, wild, wild + 8, 0}, "24 bytes"},
		{"an item instead", []ctype.Word{2, 0, literal, 0, 0}, "24 bytes"},
		{"a text instead", []ctype.Word{2, 0, text | 0x414141<<40, 0x4141414141414141, 0}, `"helloAAAAAAAAAAA"`},
		{"items behind children", []ctype.Word{2, 0, other, 0, wild, 7}, "n2 null 16 bytes"},
		{"another pointer says where they end", []ctype.Word{2, self + 24, other, other}, "n2 8 bytes"},
		{"at once", []ctype.Word{2, self + 16, other, other}, "16 bytes"},
		{"it leads elsewhere", []ctype.Word{2, other, other, other}, "n2 n2"},
	} {
		im := &Image{}
		o := &Object{Addr: self, Kind: Node, Live: true, Seq: 1, Data: make([]byte, 8*len(x.words))}
		for i, w := range x.words {
			ctype.Store(ctype.ULongT, o.Data[8*i:], w)
		}
		im.Add(o)
		im.Add(&Object{Addr: other, Kind: Node, Live: true, Seq: 2, Data: make([]byte, 16)})
		im.Add(&Object{Addr: literal, Kind: Static, Live: true, Data: []byte("text\x00"), ReadOnly: true})
		root := &Object{Addr: 0x1000, Kind: Global, Live: true, Data: make([]byte, 8), Var: &cfront.Var{Name: "root", Type: ctype.PointerTo(node), Storage: cfront.Global}}
		ctype.Store(ctype.ULongT, root.Data, self)
		im.Add(root)
		im.Sort()
		n, _ := NewGraph(im, func(*Object) bool { return true }).Node("n1")
		var got []string
		for _, c := range n.Cells[2:] {
			got = append(got, c.Value.Text)
			if strings.HasPrefix(c.Field, "+") && (c.Key != "n1"+c.Field || fmt.Sprintf("+%d", c.Addr-self) != c.Field || c.Addr+ctype.Word(c.Type.Size) != o.End()) {
				t.Errorf("%s: the cell of the bytes is %+v", x.name, c)
			}
		}
		if s := strings.Join(got, " "); !strings.HasPrefix(s, x.want) || len(s) > len(x.want)+4 {
			t.Errorf("%s: %s, not %s", x.name, s, x.want)
		}
	}
}

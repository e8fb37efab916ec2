package heap

import (
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// TestScanBytes says that a block whose address stands in memory of characters, and what that leads to, is not called
// unreachable, and that one of which no address is anywhere is.
func TestScanBytes(t *testing.T) {
	const buffer, kept, behind, lost = 0x10000, 0x20000, 0x30000, 0x40000
	im := &Image{}
	block := func(addr ctype.Word, seq int, words ...ctype.Word) {
		o := &Object{Addr: addr, Kind: Node, Live: true, Seq: seq, Data: make([]byte, 8*len(words))}
		for i, w := range words {
			ctype.Store(ctype.ULongT, o.Data[8*i:], w)
		}
		im.Add(o)
	}
	block(buffer, 1, 7, kept, 0)
	block(kept, 2, 0, behind)
	block(behind, 3, 1, 2)
	block(lost, 4, kept, 0)
	root := &Object{Addr: 0x1000, Kind: Global, Live: true, Data: make([]byte, 8), Var: &cfront.Var{Name: "text", Type: ctype.PointerTo(ctype.CharT), Storage: cfront.Global}}
	ctype.Store(ctype.ULongT, root.Data, buffer)
	im.Add(root)
	im.Sort()
	g := NewGraph(im, func(*Object) bool { return true })
	for _, x := range []struct {
		node string
		met  bool
	}{{"n2", true}, {"n3", true}, {"n4", false}} {
		if n, ok := g.Node(x.node); !ok || n.Met != x.met {
			t.Errorf("%s: %v, met %v", x.node, ok, n != nil && n.Met)
		}
	}
}

package heap

import (
	"testing"

	"gulo/internal/ctype"
)

// TestAstray: what is shown of a pointer that leads to no object.
func TestAstray(t *testing.T) {
	im := &Image{Stack: []Span{{0x7000, 0x8000}, {0x90000, 0x91000}}}
	im.Add(&Object{Addr: 0x90010, Kind: Node, Live: true, Seq: 1, Data: make([]byte, 16)})
	im.Sort()
	for w, want := range map[ctype.Word]string{
		0: "null", 42: "42", 0xffff: "65535", 1 << 16: "wild", ^ctype.Word(0): "-1", 0xffffffff80000000: "-2147483648", 0xffffffff7fffffff: "wild",
		0x90000: "stack", 0x90010: "n1", 0x90018: "n1+8", 0x90020: "n1+16", 0x90fff: "stack", 0x91000: "wild", 0x7000: "28672",
	} {
		v := im.Symbol(w, ctype.VoidPtrT)
		if v.Text != want || v.Points() != (want[0] == 'n' && want != "null") {
			t.Errorf("%#x is %+v, not %s", w, v, want)
		}
		if number := w != 0 && (w < 1<<16 || int64(w) < 0 && int64(w) >= -1<<31); v.Number() != number {
			t.Errorf("%#x is a number: %v", w, v.Number())
		}
	}
}
